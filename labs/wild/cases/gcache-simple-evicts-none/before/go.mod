module wild/gcache-simple-evicts-none

go 1.26.0

require (
	github.com/bluele/gcache v0.0.2
	wild/service v0.0.0
)

replace wild/service => ../../service
