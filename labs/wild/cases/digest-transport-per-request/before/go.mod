module wild/digest-transport-per-request

go 1.26.0

require (
	github.com/icholy/digest v1.2.0
	wild/service v0.0.0
)

replace wild/service => ../../service
