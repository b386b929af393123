module wild/ctl-connect-slow-peer

go 1.23

require (
	connectrpc.com/connect v1.18.1
	google.golang.org/protobuf v1.34.2
	wild/service v0.0.0
)

replace wild/service => ../../service
