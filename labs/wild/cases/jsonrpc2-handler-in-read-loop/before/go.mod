module wild/jsonrpc2-handler-in-read-loop

go 1.26.0

require (
	github.com/sourcegraph/jsonrpc2 v0.2.3
	wild/service v0.0.0
)

replace wild/service => ../../service
