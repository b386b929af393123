module wild/snappy-writer-unbuffered

go 1.26.0

require (
	github.com/golang/snappy v1.0.0
	wild/service v0.0.0
)

replace wild/service => ../../service
