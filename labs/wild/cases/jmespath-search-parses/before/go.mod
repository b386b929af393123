module wild/jmespath-search-parses

go 1.26.0

require (
	github.com/jmespath/go-jmespath v0.4.0
	wild/service v0.0.0
)

replace wild/service => ../../service
