module wild/zmq4-one-req-socket

go 1.26.0

require (
	github.com/go-zeromq/zmq4 v0.17.0
	wild/service v0.0.0
)

require (
	github.com/go-zeromq/goczmq/v4 v4.2.2 // indirect
	golang.org/x/sync v0.7.0 // indirect
	golang.org/x/text v0.15.0 // indirect
)

replace wild/service => ../../service
