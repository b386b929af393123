module wild/kdtree-never-balanced

go 1.26.0

require (
	github.com/kyroy/kdtree v0.0.0-20200419114247-70830f883f1d
	wild/service v0.0.0
)

require github.com/kyroy/priority-queue v0.0.0-20180327160706-6e21825e7e0c // indirect

replace wild/service => ../../service
