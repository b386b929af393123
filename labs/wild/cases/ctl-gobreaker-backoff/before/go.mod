module wild/ctl-gobreaker-backoff

go 1.23

require (
	github.com/cenkalti/backoff/v5 v5.0.3
	github.com/sony/gobreaker/v2 v2.4.0
	wild/service v0.0.0
)

replace wild/service => ../../service
