module wild/xtext-compare-while-sorting

go 1.26.0

require (
	golang.org/x/text v0.44.0
	wild/service v0.0.0
)

replace wild/service => ../../service
