module wild/dig-container-per-order

go 1.26.0

require (
	go.uber.org/dig v1.19.0
	wild/service v0.0.0
)

replace wild/service => ../../service
