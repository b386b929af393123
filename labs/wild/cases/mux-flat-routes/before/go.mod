module wild/mux-flat-routes

go 1.23

require (
	github.com/gorilla/mux v1.8.1
	wild/service v0.0.0
)

replace wild/service => ../../service
