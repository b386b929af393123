module wild/pester-backoff-of-a-second

go 1.26.0

require (
	github.com/sethgrid/pester v1.2.0
	wild/service v0.0.0
)

replace wild/service => ../../service
