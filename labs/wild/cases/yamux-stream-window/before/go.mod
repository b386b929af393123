module wild/yamux-stream-window

go 1.23

require (
	github.com/hashicorp/yamux v0.1.2
	wild/service v0.0.0
)

replace wild/service => ../../service
