module wild/uap-parse-cache

go 1.23

require (
	github.com/ua-parser/uap-go v0.0.0-20211112212520-00c877edfe0f
	wild/service v0.0.0
)

require gopkg.in/yaml.v2 v2.2.1 // indirect

replace wild/service => ../../service
