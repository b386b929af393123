module wild/ctl-vellum-places

go 1.26.0

replace wild/service => ../../service

require (
	github.com/blevesearch/vellum v1.2.1
	wild/service v0.0.0
)

require (
	github.com/bits-and-blooms/bitset v1.24.2 // indirect
	github.com/blevesearch/mmap-go v1.2.0 // indirect
	golang.org/x/sys v0.40.0 // indirect
)
