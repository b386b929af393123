module wild/ttlcache-getorsetfunc-under-lock

go 1.26.0

require (
	github.com/jellydator/ttlcache/v3 v3.4.1
	wild/service v0.0.0
)

require golang.org/x/sync v0.16.0 // indirect

replace wild/service => ../../service
