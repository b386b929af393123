module wild/amqp-channel-per-publish

go 1.23

require (
	github.com/rabbitmq/amqp091-go v1.16.0
	wild/service v0.0.0
)

replace wild/service => ../../service
