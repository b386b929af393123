module wild/fuzzysearch-folds-names-again

go 1.26.0

require (
	github.com/lithammer/fuzzysearch v1.1.8
	wild/service v0.0.0
)

require golang.org/x/text v0.9.0 // indirect

replace wild/service => ../../service
