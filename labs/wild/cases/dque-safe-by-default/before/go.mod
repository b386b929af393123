module wild/dque-safe-by-default

go 1.26.0

require (
	github.com/joncrlsn/dque v0.0.0-20211108142734-c2ef48c5192a
	wild/service v0.0.0
)

require (
	github.com/gofrs/flock v0.7.1 // indirect
	github.com/pkg/errors v0.9.1 // indirect
)

replace wild/service => ../../service
