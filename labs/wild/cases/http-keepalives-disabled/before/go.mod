module wild/http-keepalives-disabled

go 1.26.0

require (
	github.com/julienschmidt/httprouter v1.3.0
	wild/service v0.0.0
)

replace wild/service => ../../service
