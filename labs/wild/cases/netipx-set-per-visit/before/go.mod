module wild/netipx-set-per-visit

go 1.26.0

require (
	go4.org/netipx v0.0.0-20260823151212-3075585bcbeb
	wild/service v0.0.0
)

replace wild/service => ../../service
