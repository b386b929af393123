module wild/gjson-pattern-redos

go 1.23

require (
	github.com/tidwall/gjson v1.9.2
	wild/service v0.0.0
)

require (
	github.com/tidwall/match v1.1.0 // indirect
	github.com/tidwall/pretty v1.2.0 // indirect
)

replace wild/service => ../../service
