module wild/bbolt-freelist-hashmap

go 1.23

require (
	go.etcd.io/bbolt v1.3.10
	wild/service v0.0.0
)

require golang.org/x/sys v0.4.0 // indirect

replace wild/service => ../../service
