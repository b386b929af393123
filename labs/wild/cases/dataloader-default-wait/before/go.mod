module wild/dataloader-default-wait

go 1.23

require (
	github.com/graph-gophers/dataloader/v7 v7.1.0
	wild/service v0.0.0
)

replace wild/service => ../../service
