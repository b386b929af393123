module wild/goccy-json-escapes

go 1.23

require (
	github.com/goccy/go-json v0.9.4
	wild/service v0.0.0
)

replace wild/service => ../../service
