module wild/stateless-orders-in-turn

go 1.26.0

require (
	github.com/qmuntal/stateless v1.7.2
	wild/service v0.0.0
)

replace wild/service => ../../service
