module wild/wazero-close-on-context-done

go 1.26.0

require (
	github.com/tetratelabs/wazero v1.12.0
	wild/service v0.0.0
)

require golang.org/x/sys v0.44.0 // indirect

replace wild/service => ../../service
