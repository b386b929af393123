module wild/gorestful-regex-per-request

go 1.23

require (
	github.com/emicklei/go-restful/v3 v3.12.2
	wild/service v0.0.0
)

replace wild/service => ../../service
