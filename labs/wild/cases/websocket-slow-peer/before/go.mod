module wild/websocket-slow-peer

go 1.23

require (
	github.com/gorilla/websocket v1.5.3
	wild/service v0.0.0
)

replace wild/service => ../../service
