module wild/regexp2-backtracking

go 1.23

require (
	github.com/dlclark/regexp2 v1.11.4
	wild/service v0.0.0
)

replace wild/service => ../../service
