module wild/memdb-write-txn-for-read

go 1.23

require (
	github.com/hashicorp/go-memdb v1.3.4
	wild/service v0.0.0
)

require (
	github.com/hashicorp/go-immutable-radix v1.3.0 // indirect
	github.com/hashicorp/golang-lru v0.5.4 // indirect
)

replace wild/service => ../../service
