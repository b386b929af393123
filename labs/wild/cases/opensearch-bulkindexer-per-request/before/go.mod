module wild/opensearch-bulkindexer-per-request

go 1.26.0

require (
	github.com/opensearch-project/opensearch-go/v4 v4.8.1
	wild/service v0.0.0
)

require golang.org/x/sync v0.23.0 // indirect

replace wild/service => ../../service
