module wild/resty-client-per-request

go 1.23

require (
	github.com/go-resty/resty/v2 v2.16.2
	wild/service v0.0.0
)

require golang.org/x/net v0.27.0 // indirect

replace wild/service => ../../service
