module wild/geoip2-open-per-request

go 1.23

require (
	github.com/maxmind/mmdbwriter v1.0.0
	github.com/oschwald/geoip2-golang v1.11.0
	wild/service v0.0.0
)

require (
	github.com/oschwald/maxminddb-golang v1.13.0 // indirect
	go4.org/netipx v0.0.0-20220812043211-3cc044ffd68d // indirect
	golang.org/x/sys v0.20.0 // indirect
)

replace wild/service => ../../service
