module wild/gogenericscache-janitor-scan

go 1.26.0

require (
	github.com/Code-Hex/go-generics-cache v1.5.1
	wild/service v0.0.0
)

require golang.org/x/exp v0.0.0-20220328175248-053ad81199eb // indirect

replace wild/service => ../../service
