module wild/jsonpatch-decoded-twice

go 1.26.0

require wild/service v0.0.0

require github.com/evanphx/json-patch/v5 v5.9.11

replace wild/service => ../../service
