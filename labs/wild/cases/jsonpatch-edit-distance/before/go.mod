module wild/jsonpatch-edit-distance

go 1.25

require (
	gomodules.xyz/jsonpatch/v2 v2.2.0
	wild/service v0.0.0
)

replace wild/service => ../../service
