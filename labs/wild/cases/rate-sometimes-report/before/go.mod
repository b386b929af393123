module wild/rate-sometimes-report

go 1.23

require (
	golang.org/x/time v0.8.0
	wild/service v0.0.0
)

replace wild/service => ../../service
