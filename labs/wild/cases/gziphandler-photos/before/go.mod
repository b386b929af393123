module wild/gziphandler-photos

go 1.26.0

require (
	github.com/NYTimes/gziphandler v1.1.1
	wild/service v0.0.0
)

replace wild/service => ../../service
