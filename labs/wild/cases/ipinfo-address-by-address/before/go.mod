module wild/ipinfo-address-by-address

go 1.26.0

require (
	github.com/ipinfo/go/v2 v2.14.0
	wild/service v0.0.0
)

require (
	github.com/patrickmn/go-cache v2.1.0+incompatible // indirect
	golang.org/x/sync v0.0.0-20220513210516-0976fa681c29 // indirect
)

replace wild/service => ../../service
