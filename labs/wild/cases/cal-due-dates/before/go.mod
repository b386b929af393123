module wild/cal-due-dates

go 1.23

require (
	github.com/rickar/cal/v2 v2.1.13
	wild/service v0.0.0
)

replace wild/service => ../../service
