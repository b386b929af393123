module wild/graphgophers-many-aliases

go 1.23

require (
	github.com/graph-gophers/graphql-go v1.3.0
	wild/service v0.0.0
)

require (
	github.com/opentracing/opentracing-go v1.1.0 // indirect
	github.com/stretchr/testify v1.12.1 // indirect
)

replace wild/service => ../../service
