module wild/modbus-one-client

go 1.23

require (
	github.com/simonvetter/modbus v1.6.4
	wild/service v0.0.0
)

require github.com/goburrow/serial v0.1.0 // indirect

replace wild/service => ../../service
