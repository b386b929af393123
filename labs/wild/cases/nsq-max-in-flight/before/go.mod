module wild/nsq-max-in-flight

go 1.23

require (
	github.com/nsqio/go-nsq v1.1.0
	wild/service v0.0.0
)

require github.com/golang/snappy v0.0.1 // indirect

replace wild/service => ../../service
