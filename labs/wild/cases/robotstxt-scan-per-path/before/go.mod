module wild/robotstxt-scan-per-path

go 1.26.0

require (
	github.com/temoto/robotstxt v1.1.2
	wild/service v0.0.0
)

replace wild/service => ../../service
