module wild/hdrhistogram-bucket-walk

go 1.23.0

require wild/service v0.0.0

require github.com/HdrHistogram/hdrhistogram-go v1.4.0

replace wild/service => ../../service
