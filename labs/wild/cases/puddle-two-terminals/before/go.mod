module wild/puddle-two-terminals

go 1.26.0

require (
	github.com/jackc/puddle/v2 v2.2.3
	wild/service v0.0.0
)

require golang.org/x/sync v0.1.0 // indirect

replace wild/service => ../../service
