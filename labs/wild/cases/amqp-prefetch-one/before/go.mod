module wild/amqp-prefetch-one

go 1.26.0

require (
	github.com/rabbitmq/amqp091-go v1.10.0
	wild/service v0.0.0
)

replace wild/service => ../../service
