module wild/ctl-doh-slow-upstream

go 1.26.0

require (
	github.com/miekg/dns v1.1.73
	wild/service v0.0.0
)

require (
	golang.org/x/net v0.57.0 // indirect
	golang.org/x/sys v0.47.0 // indirect
)

replace wild/service => ../../service
