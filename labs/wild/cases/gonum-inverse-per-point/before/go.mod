module wild/gonum-inverse-per-point

go 1.26.0

require (
	gonum.org/v1/gonum v0.17.0
	wild/service v0.0.0
)

replace wild/service => ../../service
