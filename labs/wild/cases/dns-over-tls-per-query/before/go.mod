module wild/dns-over-tls-per-query

go 1.26.0

require (
	github.com/miekg/dns v1.1.68
	wild/service v0.0.0
)

require (
	golang.org/x/mod v0.24.0 // indirect
	golang.org/x/net v0.40.0 // indirect
	golang.org/x/sync v0.14.0 // indirect
	golang.org/x/sys v0.33.0 // indirect
	golang.org/x/tools v0.33.0 // indirect
)

replace wild/service => ../../service
