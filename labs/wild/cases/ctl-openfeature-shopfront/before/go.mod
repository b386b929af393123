module wild/ctl-openfeature-shopfront

go 1.26.0

replace wild/service => ../../service

require (
	github.com/open-feature/go-sdk v1.20.0
	wild/service v0.0.0
)

require go.uber.org/mock v0.6.0 // indirect
