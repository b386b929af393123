module wild/cloudflare-four-a-second

go 1.26.0

require (
	github.com/cloudflare/cloudflare-go v0.114.0
	wild/service v0.0.0
)

require (
	github.com/goccy/go-json v0.10.4 // indirect
	github.com/google/go-querystring v1.1.0 // indirect
	golang.org/x/net v0.34.0 // indirect
	golang.org/x/text v0.21.0 // indirect
	golang.org/x/time v0.9.0 // indirect
)

replace wild/service => ../../service
