module wild/ctl-xxh3-photo-tags

go 1.26.0

require (
	github.com/zeebo/xxh3 v1.1.0
	wild/service v0.0.0
)

require (
	github.com/klauspost/cpuid/v2 v2.2.10 // indirect
	golang.org/x/sys v0.30.0 // indirect
)

replace wild/service => ../../service
