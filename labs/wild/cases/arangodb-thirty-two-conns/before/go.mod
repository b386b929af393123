module wild/arangodb-thirty-two-conns

go 1.26.0

require (
	github.com/arangodb/go-driver v1.6.2
	wild/service v0.0.0
)

require (
	github.com/arangodb/go-velocypack v0.0.0-20200318135517-5af53c29c67e // indirect
	github.com/pkg/errors v0.9.1 // indirect
)

replace wild/service => ../../service
