module wild/pointer-cache-mark

go 1.23

require (
	github.com/allegro/bigcache/v3 v3.1.0
	wild/service v0.0.0
)

replace wild/service => ../../service
