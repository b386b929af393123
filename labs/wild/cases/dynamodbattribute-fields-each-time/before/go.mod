module wild/dynamodbattribute-fields-each-time

go 1.26.0

replace wild/service => ../../service

require (
	github.com/aws/aws-sdk-go v1.27.0
	wild/service v0.0.0
)

require (
	github.com/jmespath/go-jmespath v0.0.0-20180206201540-c2b33e8439af // indirect
	github.com/stretchr/testify v1.12.1 // indirect
)
