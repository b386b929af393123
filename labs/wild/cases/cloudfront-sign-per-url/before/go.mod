module wild/cloudfront-sign-per-url

go 1.26.0

require (
	github.com/aws/aws-sdk-go-v2/feature/cloudfront/sign v1.9.16
	wild/service v0.0.0
)

replace wild/service => ../../service
