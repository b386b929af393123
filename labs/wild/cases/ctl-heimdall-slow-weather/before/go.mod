module wild/ctl-heimdall-slow-weather

go 1.26.0

require (
	github.com/gojek/heimdall/v7 v7.0.3
	wild/service v0.0.0
)

require (
	github.com/davecgh/go-spew v1.1.1 // indirect
	github.com/gojek/valkyrie v0.0.0-20180215180059-6aee720afcdf // indirect
	github.com/pkg/errors v0.9.1 // indirect
	github.com/pmezard/go-difflib v1.0.0 // indirect
	github.com/stretchr/objx v0.3.0 // indirect
	github.com/stretchr/testify v1.3.0 // indirect
)

replace wild/service => ../../service
