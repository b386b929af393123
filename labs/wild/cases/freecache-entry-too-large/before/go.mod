module wild/freecache-entry-too-large

go 1.23

require (
	github.com/coocood/freecache v1.2.4
	wild/service v0.0.0
)

require github.com/cespare/xxhash/v2 v2.1.2 // indirect

replace wild/service => ../../service
