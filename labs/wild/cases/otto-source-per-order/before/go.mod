module wild/otto-source-per-order

go 1.26.0

require (
	github.com/robertkrimen/otto v0.5.1
	wild/service v0.0.0
)

require (
	golang.org/x/text v0.4.0 // indirect
	gopkg.in/sourcemap.v1 v1.0.5 // indirect
)

replace wild/service => ../../service
