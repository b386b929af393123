module wild/ctl-errgroup-batch

go 1.26.0

require (
	golang.org/x/image v0.47.0
	golang.org/x/sync v0.24.0
	wild/service v0.0.0
)

replace wild/service => ../../service
