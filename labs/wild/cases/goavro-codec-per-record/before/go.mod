module wild/goavro-codec-per-record

go 1.25

require (
	github.com/linkedin/goavro/v2 v2.15.0
	wild/service v0.0.0
)

require github.com/golang/snappy v0.0.1 // indirect

replace wild/service => ../../service
