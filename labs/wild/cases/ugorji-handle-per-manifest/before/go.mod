module wild/ugorji-handle-per-manifest

go 1.26.0

replace wild/service => ../../service

require (
	github.com/ugorji/go/codec v1.3.2
	wild/service v0.0.0
)
