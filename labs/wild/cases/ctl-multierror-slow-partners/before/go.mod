module wild/ctl-multierror-slow-partners

go 1.26.0

require (
	github.com/hashicorp/go-multierror v1.1.1
	wild/service v0.0.0
)

require github.com/hashicorp/errwrap v1.0.0 // indirect

replace wild/service => ../../service
