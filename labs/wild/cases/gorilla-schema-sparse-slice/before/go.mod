module wild/gorilla-schema-sparse-slice

go 1.23

require (
	github.com/gorilla/schema v1.4.0
	wild/service v0.0.0
)

replace wild/service => ../../service
