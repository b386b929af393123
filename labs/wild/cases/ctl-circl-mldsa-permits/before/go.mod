module wild/ctl-circl-mldsa-permits

go 1.26.0

require (
	github.com/cloudflare/circl v1.6.5
	wild/service v0.0.0
)

require golang.org/x/sys v0.47.0 // indirect

replace wild/service => ../../service
