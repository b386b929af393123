module wild/scs-idle-timeout-commit

go 1.23

require (
	github.com/alexedwards/scs/v2 v2.8.0
	go.etcd.io/bbolt v1.4.3
	wild/service v0.0.0
)

require golang.org/x/sys v0.29.0 // indirect

replace wild/service => ../../service
