module wild/flock-retry-delay

go 1.26.0

require (
	github.com/gofrs/flock v0.13.2
	wild/service v0.0.0
)

require golang.org/x/sys v0.49.0 // indirect

replace wild/service => ../../service
