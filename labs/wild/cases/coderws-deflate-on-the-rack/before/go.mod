module wild/coderws-deflate-on-the-rack

go 1.26.0

require (
	github.com/coder/websocket v1.8.15
	wild/service v0.0.0
)

replace wild/service => ../../service
