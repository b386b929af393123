module wild/httprate-handler-lock

go 1.23

require (
	github.com/go-chi/httprate v0.7.3
	wild/service v0.0.0
)

require github.com/cespare/xxhash/v2 v2.1.2 // indirect

replace wild/service => ../../service
