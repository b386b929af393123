module wild/radix-pipelining-off

go 1.26.0

require (
	github.com/alicebob/miniredis/v2 v2.40.0
	github.com/mediocregopher/radix/v3 v3.8.0
	wild/service v0.0.0
)

require (
	github.com/yuin/gopher-lua v1.1.1 // indirect
	golang.org/x/xerrors v0.0.0-20191011141410-1b5146add898 // indirect
)

replace wild/service => ../../service
