module wild/rrule-dtstart-long-ago

go 1.26.0

require (
	github.com/teambition/rrule-go v1.8.2
	wild/service v0.0.0
)

replace wild/service => ../../service
