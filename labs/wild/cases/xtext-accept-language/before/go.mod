module wild/xtext-accept-language

go 1.23

require (
	golang.org/x/text v0.3.7
	wild/service v0.0.0
)

replace wild/service => ../../service
