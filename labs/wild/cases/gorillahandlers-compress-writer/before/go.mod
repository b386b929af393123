module wild/gorillahandlers-compress-writer

go 1.26.0

require (
	github.com/gorilla/handlers v1.5.2
	wild/service v0.0.0
)

require github.com/felixge/httpsnoop v1.0.3 // indirect

replace wild/service => ../../service
