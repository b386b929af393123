module wild/tstorage-wal-per-row

go 1.26.0

require (
	github.com/nakabonne/tstorage v0.3.6
	wild/service v0.0.0
)

replace wild/service => ../../service
