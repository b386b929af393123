module wild/slack-member-by-member

go 1.26.0

require (
	github.com/slack-go/slack v0.35.0
	wild/service v0.0.0
)

require github.com/gorilla/websocket v1.5.3 // indirect

replace wild/service => ../../service
