module wild/graph-prevent-cycles

go 1.23

require (
	github.com/dominikbraun/graph v0.22.3
	wild/service v0.0.0
)

replace wild/service => ../../service
