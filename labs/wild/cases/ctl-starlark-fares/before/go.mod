module wild/ctl-starlark-fares

go 1.26.0

require (
	go.starlark.net v0.0.0-20260908191801-89a6a09411d5
	wild/service v0.0.0
)

require golang.org/x/sys v0.42.0 // indirect

replace wild/service => ../../service
