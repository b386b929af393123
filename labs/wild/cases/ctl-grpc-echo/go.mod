module wild/ctl-grpc-echo

go 1.23
