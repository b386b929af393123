module wild/gotoml-parser-before-rewrite

go 1.26.0

require (
	github.com/pelletier/go-toml/v2 v2.3.1
	wild/service v0.0.0
)

replace wild/service => ../../service
