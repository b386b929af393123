module wild/jsonpatch-decoded-twice

go 1.26.0

require (
	github.com/evanphx/json-patch/v5 v5.7.0
	wild/service v0.0.0
)

require github.com/pkg/errors v0.8.1 // indirect

replace wild/service => ../../service
