module wild/cleanhttp-default-client

go 1.23

require (
	github.com/hashicorp/go-cleanhttp v0.5.2
	wild/service v0.0.0
)

replace wild/service => ../../service
