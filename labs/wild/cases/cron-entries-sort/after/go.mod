module wild/cron-entries-sort

go 1.25

require (
	github.com/robfig/cron/v3 v3.0.1
	wild/service v0.0.0
)

replace wild/service => ../../service

replace github.com/robfig/cron/v3 => github.com/netresearch/go-cron v0.9.1
