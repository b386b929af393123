module wild/s2-index-built-by-first-query

go 1.26.0

require (
	github.com/golang/geo v0.0.0-20260818125358-b200a1149890
	wild/service v0.0.0
)

replace wild/service => ../../service
