module wild/gocron-waitmode-spin

go 1.23

require (
	github.com/go-co-op/gocron v1.17.1
	wild/service v0.0.0
)

require (
	github.com/robfig/cron/v3 v3.0.1 // indirect
	golang.org/x/sync v0.0.0-20210220032951-036812b2e83c // indirect
)

replace wild/service => ../../service
