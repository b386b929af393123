module wild/jrpc2-handlers-per-cpu

go 1.23

require wild/service v0.0.0

replace wild/service => ../../service
