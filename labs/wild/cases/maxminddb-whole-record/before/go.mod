module wild/maxminddb-whole-record

go 1.26.0

require (
	github.com/maxmind/mmdbwriter v1.0.0
	github.com/oschwald/maxminddb-golang v1.13.1
	wild/service v0.0.0
)

require (
	go4.org/netipx v0.0.0-20220812043211-3cc044ffd68d // indirect
	golang.org/x/sys v0.21.0 // indirect
)

replace wild/service => ../../service
