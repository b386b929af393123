module wild/casbin-reload-under-lock

go 1.26.0

require (
	github.com/casbin/casbin/v2 v2.77.2
	wild/service v0.0.0
)

require (
	github.com/Knetic/govaluate v3.0.1-0.20171022003610-9aa49832a739+incompatible // indirect
	github.com/tidwall/gjson v1.14.4 // indirect
	github.com/tidwall/match v1.1.1 // indirect
	github.com/tidwall/pretty v1.2.0 // indirect
)

replace wild/service => ../../service
