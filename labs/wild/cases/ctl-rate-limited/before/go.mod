module wild/ctl-rate-limited

go 1.26.0

require (
	golang.org/x/time v0.16.0
	wild/service v0.0.0
)

replace wild/service => ../../service
