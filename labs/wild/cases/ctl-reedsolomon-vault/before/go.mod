module wild/ctl-reedsolomon-vault

go 1.26.0

require (
	github.com/klauspost/reedsolomon v1.14.2
	wild/service v0.0.0
)

require (
	github.com/klauspost/cpuid/v2 v2.3.0 // indirect
	golang.org/x/sys v0.30.0 // indirect
)

replace wild/service => ../../service
