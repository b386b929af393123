module wild/websocket-slow-peer

go 1.23
