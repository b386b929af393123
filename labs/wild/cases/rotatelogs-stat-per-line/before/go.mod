module wild/rotatelogs-stat-per-line

go 1.26.0

require (
	github.com/lestrrat-go/file-rotatelogs v2.4.0+incompatible
	wild/service v0.0.0
)

require (
	github.com/jonboulle/clockwork v0.5.0 // indirect
	github.com/lestrrat-go/strftime v1.2.0 // indirect
	github.com/pkg/errors v0.9.1 // indirect
	github.com/stretchr/testify v1.12.1 // indirect
)

replace wild/service => ../../service
