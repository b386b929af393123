module wild/ctl-websocket-idle

go 1.23
