module wild/gojq-query-run

go 1.26.0

require (
	github.com/itchyny/gojq v0.12.20
	wild/service v0.0.0
)

require github.com/itchyny/timefmt-go v0.1.9 // indirect

replace wild/service => ../../service
