module wild/quartz-blocking-execution

go 1.26.0

replace wild/service => ../../service

require (
	github.com/reugn/go-quartz v0.15.2
	wild/service v0.0.0
)
