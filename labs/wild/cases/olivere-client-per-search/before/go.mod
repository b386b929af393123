module wild/olivere-client-per-search

go 1.26.0

require (
	github.com/olivere/elastic/v7 v7.0.32
	wild/service v0.0.0
)

require (
	github.com/josharian/intern v1.0.0 // indirect
	github.com/mailru/easyjson v0.7.7 // indirect
	github.com/pkg/errors v0.9.1 // indirect
)

replace wild/service => ../../service
