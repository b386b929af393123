module wild/cron-entries-sort

go 1.23

require (
	github.com/robfig/cron/v3 v3.0.1
	wild/service v0.0.0
)

replace wild/service => ../../service
