module wild/ants-pool-too-small

go 1.23

require (
	github.com/panjf2000/ants/v2 v2.11.3
	wild/service v0.0.0
)

require golang.org/x/sync v0.11.0 // indirect

replace wild/service => ../../service
