module wild/orb-mvt-without-clip

go 1.26.0

require (
	github.com/paulmach/orb v0.12.0
	wild/service v0.0.0
)

require (
	github.com/gogo/protobuf v1.3.2 // indirect
	github.com/paulmach/protoscan v0.2.1 // indirect
	go.mongodb.org/mongo-driver v1.11.4 // indirect
)

replace wild/service => ../../service
