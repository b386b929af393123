module wild/xsync-queue-spin

go 1.23

require (
	github.com/puzpuzpuz/xsync/v3 v3.5.1
	wild/service v0.0.0
)

replace wild/service => ../../service
