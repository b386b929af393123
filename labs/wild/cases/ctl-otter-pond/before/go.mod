module wild/ctl-otter-pond

go 1.24

require (
	github.com/alitto/pond/v2 v2.5.0
	github.com/maypok86/otter/v2 v2.2.1
	wild/service v0.0.0
)

require golang.org/x/sys v0.34.0 // indirect

replace wild/service => ../../service
