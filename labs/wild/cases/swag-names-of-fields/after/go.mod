module wild/swag-names-of-fields

go 1.26.0

require (
	github.com/go-openapi/swag v0.22.8
	wild/service v0.0.0
)

require (
	github.com/josharian/intern v1.0.0 // indirect
	github.com/kr/pretty v0.3.1 // indirect
	github.com/mailru/easyjson v0.7.7 // indirect
	gopkg.in/yaml.v3 v3.0.1 // indirect
)

replace wild/service => ../../service
