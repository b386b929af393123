module wild/redigo-ping-on-borrow

go 1.26.0

replace wild/service => ../../service

require (
	github.com/alicebob/miniredis/v2 v2.35.0
	github.com/gomodule/redigo v1.9.3
	wild/service v0.0.0
)

require github.com/yuin/gopher-lua v1.1.1 // indirect
