module wild/backoff-default-interval

go 1.26.0

require (
	github.com/cenkalti/backoff/v5 v5.0.3
	wild/service v0.0.0
)

replace wild/service => ../../service
