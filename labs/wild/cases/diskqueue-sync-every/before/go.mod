module wild/diskqueue-sync-every

go 1.23

require (
	github.com/nsqio/go-diskqueue v1.1.0
	wild/service v0.0.0
)

replace wild/service => ../../service
