module wild/gosnmp-walk-getnext

go 1.25

require (
	github.com/gosnmp/gosnmp v1.47.0
	wild/service v0.0.0
)

replace wild/service => ../../service
