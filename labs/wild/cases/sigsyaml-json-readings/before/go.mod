module wild/sigsyaml-json-readings

go 1.26.0

require (
	sigs.k8s.io/yaml v1.6.0
	wild/service v0.0.0
)

require go.yaml.in/yaml/v2 v2.4.2 // indirect

replace wild/service => ../../service
