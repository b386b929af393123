module wild/bolthold-index-not-named

go 1.23

require (
	github.com/timshannon/bolthold v0.0.0-20240314194003-30aac6950928
	go.etcd.io/bbolt v1.3.8
	wild/service v0.0.0
)

require golang.org/x/sys v0.15.0 // indirect

replace wild/service => ../../service
