module wild/cmap-iter-channel

go 1.23

require (
	github.com/orcaman/concurrent-map v1.0.0
	wild/service v0.0.0
)

replace wild/service => ../../service
