module wild/retryablehttp-wait-min

go 1.23

require (
	github.com/hashicorp/go-retryablehttp v0.7.7
	wild/service v0.0.0
)

require github.com/hashicorp/go-cleanhttp v0.5.2 // indirect

replace wild/service => ../../service
