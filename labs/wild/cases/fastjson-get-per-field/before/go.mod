module wild/fastjson-get-per-field

go 1.23

require (
	github.com/valyala/fastjson v1.6.4
	wild/service v0.0.0
)

replace wild/service => ../../service
