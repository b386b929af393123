module wild/gobroadcast-archive-holds-up-all

go 1.26.0

require (
	github.com/dustin/go-broadcast v0.0.0-20171205050544-f664265f5a66
	wild/service v0.0.0
)

replace wild/service => ../../service
