module wild/match-sandwiched-wildcards

go 1.26.0

require (
	github.com/tidwall/match v1.2.0
	wild/service v0.0.0
)

replace wild/service => ../../service
