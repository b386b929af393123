module wild/ctl-useragent-page-views

go 1.26.0

require (
	github.com/medama-io/go-useragent v1.2.5
	wild/service v0.0.0
)

require github.com/boyter/go-string v1.0.5 // indirect

replace wild/service => ../../service
