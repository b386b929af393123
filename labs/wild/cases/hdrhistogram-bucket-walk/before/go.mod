module wild/hdrhistogram-bucket-walk

go 1.23

require wild/service v0.0.0

require github.com/HdrHistogram/hdrhistogram-go v1.1.2

replace wild/service => ../../service
