module wild/uap-parse-cache

go 1.23

require (
	github.com/ua-parser/uap-go v0.0.0-20230823213814-f77b3e91e9dc
	wild/service v0.0.0
)

require (
	github.com/hashicorp/golang-lru v0.5.4 // indirect
	gopkg.in/yaml.v2 v2.2.1 // indirect
)

replace wild/service => ../../service
