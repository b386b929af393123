module wild/glog-sync-under-lock

go 1.26.0

replace wild/service => ../../service

require (
	github.com/golang/glog v1.2.0
	wild/service v0.0.0
)
