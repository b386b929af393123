module wild/gocache-janitor-sweep

go 1.23

require (
	github.com/patrickmn/go-cache v2.1.0+incompatible
	wild/service v0.0.0
)

replace wild/service => ../../service
