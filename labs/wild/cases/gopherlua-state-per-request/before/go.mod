module wild/gopherlua-state-per-request

go 1.23

require (
	github.com/yuin/gopher-lua v1.1.1
	wild/service v0.0.0
)

replace wild/service => ../../service
