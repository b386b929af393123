module wild/resiliency-batch-window

go 1.26.0

require wild/service v0.0.0

require github.com/eapache/go-resiliency v1.7.0

replace wild/service => ../../service
