module wild/xsync-compute-over-fetch

go 1.26.0

require (
	github.com/puzpuzpuz/xsync/v3 v3.5.1
	golang.org/x/sync v0.17.0
	wild/service v0.0.0
)

replace wild/service => ../../service
