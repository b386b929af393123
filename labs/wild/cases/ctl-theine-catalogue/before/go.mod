module wild/ctl-theine-catalogue

go 1.26.0

require (
	github.com/Yiling-J/theine-go v0.6.3
	golang.org/x/sync v0.17.0
	wild/service v0.0.0
)

require (
	github.com/klauspost/cpuid/v2 v2.0.9 // indirect
	github.com/zeebo/xxh3 v1.0.2 // indirect
	golang.org/x/sys v0.8.0 // indirect
)

replace wild/service => ../../service
