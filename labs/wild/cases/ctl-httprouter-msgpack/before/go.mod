module wild/ctl-httprouter-msgpack

go 1.23

require (
	github.com/julienschmidt/httprouter v1.3.0
	github.com/vmihailenco/msgpack/v5 v5.4.1
	wild/service v0.0.0
)

require github.com/vmihailenco/tagparser/v2 v2.0.0 // indirect

replace wild/service => ../../service
