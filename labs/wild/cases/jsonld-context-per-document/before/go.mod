module wild/jsonld-context-per-document

go 1.26.0

require (
	github.com/piprate/json-gold v0.9.1
	wild/service v0.0.0
)

require (
	github.com/cayleygraph/quad v1.3.0 // indirect
	github.com/pquerna/cachecontrol v0.2.0 // indirect
)

replace wild/service => ../../service
