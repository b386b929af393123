module wild/ctl-slow-downstream

go 1.23

require (
	github.com/go-resty/resty/v2 v2.16.5
	wild/service v0.0.0
)

require golang.org/x/net v0.33.0 // indirect

replace wild/service => ../../service
