module wild/resty-signature-per-notice

go 1.26.0

require (
	github.com/go-resty/resty/v2 v2.16.5
	wild/service v0.0.0
)

require golang.org/x/net v0.33.0 // indirect

replace wild/service => ../../service
