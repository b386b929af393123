module wild/goexif-searches-whole-photo

go 1.26.0

require (
	github.com/bep/imagemeta v1.0.1
	github.com/dsoprea/go-exif/v3 v3.0.1
	wild/service v0.0.0
)

require (
	github.com/dsoprea/go-logging v0.0.0-20200710184922-b02d349568dd // indirect
	github.com/dsoprea/go-utility/v2 v2.0.0-20221003172846-a3e1774ef349 // indirect
	github.com/go-errors/errors v1.4.2 // indirect
	github.com/golang/geo v0.0.0-20210211234256-740aa86cb551 // indirect
	golang.org/x/net v0.0.0-20221002022538-bcab6841153b // indirect
	golang.org/x/text v0.41.0 // indirect
	gopkg.in/yaml.v2 v2.4.0 // indirect
)

replace wild/service => ../../service
