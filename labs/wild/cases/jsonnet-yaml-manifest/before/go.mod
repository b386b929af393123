module wild/jsonnet-yaml-manifest

go 1.26.0

require (
	github.com/google/go-jsonnet v0.20.0
	wild/service v0.0.0
)

require (
	gopkg.in/yaml.v2 v2.2.7 // indirect
	sigs.k8s.io/yaml v1.1.0 // indirect
)

replace wild/service => ../../service
