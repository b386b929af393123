module wild/publicsuffix-linear-rules

go 1.23

require (
	github.com/weppos/publicsuffix-go v0.5.0
	wild/service v0.0.0
)

require (
	golang.org/x/net v0.30.0 // indirect
	golang.org/x/text v0.19.0 // indirect
)

replace wild/service => ../../service
