module wild/thrift-unbuffered-socket

go 1.23

require (
	github.com/apache/thrift v0.22.0
	wild/service v0.0.0
)

replace wild/service => ../../service
