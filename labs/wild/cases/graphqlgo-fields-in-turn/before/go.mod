module wild/graphqlgo-fields-in-turn

go 1.26.0

require (
	github.com/graphql-go/graphql v0.8.1
	wild/service v0.0.0
)

replace wild/service => ../../service
