module wild/participle-parser-per-search

go 1.26.0

require (
	github.com/alecthomas/participle/v2 v2.1.4
	wild/service v0.0.0
)

replace wild/service => ../../service
