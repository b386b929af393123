module wild/raymond-render-per-mail

go 1.26.0

require (
	github.com/aymerick/raymond v2.0.2+incompatible
	wild/service v0.0.0
)

require gopkg.in/yaml.v2 v2.4.0 // indirect

replace wild/service => ../../service
