module wild/rueidis-small-dedicated-pool

go 1.26.0

require (
	github.com/alicebob/miniredis/v2 v2.35.0
	github.com/redis/rueidis v1.0.66
	wild/service v0.0.0
)

require (
	github.com/yuin/gopher-lua v1.1.1 // indirect
	golang.org/x/sys v0.31.0 // indirect
)

replace wild/service => ../../service
