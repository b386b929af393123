module wild/bbolt-freelist-hashmap

go 1.23

require (
	go.etcd.io/bbolt v1.4.0
	wild/service v0.0.0
)

require golang.org/x/sys v0.29.0 // indirect

replace wild/service => ../../service
