module wild/graphgophers-many-aliases

go 1.25.0

require (
	github.com/graph-gophers/graphql-go v1.11.0
	wild/service v0.0.0
)

replace wild/service => ../../service
