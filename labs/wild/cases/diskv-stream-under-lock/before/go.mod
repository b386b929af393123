module wild/diskv-stream-under-lock

go 1.23

require (
	github.com/peterbourgon/diskv/v3 v3.0.1
	wild/service v0.0.0
)

require github.com/google/btree v1.0.0 // indirect

replace wild/service => ../../service
