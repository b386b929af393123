module wild/godatastore-coarse-mutex

go 1.26.0

require (
	github.com/ipfs/go-datastore v0.9.2
	wild/service v0.0.0
)

require github.com/google/uuid v1.6.0 // indirect

replace wild/service => ../../service
