module wild/ctl-httprouter-bigcache

go 1.23

require (
	github.com/allegro/bigcache/v3 v3.1.0
	github.com/julienschmidt/httprouter v1.3.0
	wild/service v0.0.0
)

replace wild/service => ../../service
