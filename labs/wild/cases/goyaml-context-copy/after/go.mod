module wild/goyaml-context-copy

go 1.23

require wild/service v0.0.0

require github.com/goccy/go-yaml v1.15.13

replace wild/service => ../../service
