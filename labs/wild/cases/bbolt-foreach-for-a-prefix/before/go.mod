module wild/bbolt-foreach-for-a-prefix

go 1.26.0

require (
	go.etcd.io/bbolt v1.4.3
	wild/service v0.0.0
)

require golang.org/x/sys v0.29.0 // indirect

replace wild/service => ../../service
