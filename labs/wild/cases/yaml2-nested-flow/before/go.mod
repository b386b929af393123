module wild/yaml2-nested-flow

go 1.23

require (
	gopkg.in/yaml.v2 v2.2.7
	wild/service v0.0.0
)

replace wild/service => ../../service
