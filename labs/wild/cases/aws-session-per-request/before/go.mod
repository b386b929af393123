module wild/aws-session-per-request

go 1.23

require (
	github.com/aws/aws-sdk-go v1.55.5
	wild/service v0.0.0
)

require github.com/jmespath/go-jmespath v0.4.0 // indirect

replace wild/service => ../../service
