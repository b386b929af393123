module wild/jsonrpc2-handler-in-read-loop

go 1.26.0

require wild/service v0.0.0

replace wild/service => ../../service
