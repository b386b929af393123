module wild/drpc-one-conn

go 1.23

require (
	storj.io/drpc v1.0.0
	wild/service v0.0.0
)

require github.com/zeebo/errs v1.2.2 // indirect

replace wild/service => ../../service
