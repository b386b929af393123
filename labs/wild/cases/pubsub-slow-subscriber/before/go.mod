module wild/pubsub-slow-subscriber

go 1.23

require (
	github.com/cskr/pubsub v1.0.2
	wild/service v0.0.0
)

replace wild/service => ../../service
