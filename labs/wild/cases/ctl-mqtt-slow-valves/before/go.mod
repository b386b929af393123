module wild/ctl-mqtt-slow-valves

go 1.26.0

require (
	github.com/eclipse/paho.mqtt.golang v1.5.0
	github.com/mochi-mqtt/server/v2 v2.7.9
	wild/service v0.0.0
)

require (
	github.com/gorilla/websocket v1.5.3 // indirect
	github.com/rs/xid v1.4.0 // indirect
	golang.org/x/net v0.33.0 // indirect
	golang.org/x/sync v0.7.0 // indirect
	gopkg.in/yaml.v3 v3.0.1 // indirect
)

replace wild/service => ../../service
