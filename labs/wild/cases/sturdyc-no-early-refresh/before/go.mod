module wild/sturdyc-no-early-refresh

go 1.26.0

require (
	github.com/viccon/sturdyc v1.1.5
	wild/service v0.0.0
)

require github.com/cespare/xxhash/v2 v2.3.0 // indirect

replace wild/service => ../../service
