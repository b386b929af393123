module wild/glob-compiled-per-parcel

go 1.26.0

require (
	github.com/gobwas/glob v0.2.3
	wild/service v0.0.0
)

replace wild/service => ../../service
