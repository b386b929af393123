module wild/counting-writer-hides-readfrom

go 1.26.0

require (
	github.com/felixge/httpsnoop v1.0.4
	wild/service v0.0.0
)

replace wild/service => ../../service
