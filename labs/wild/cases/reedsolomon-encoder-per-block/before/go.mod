module wild/reedsolomon-encoder-per-block

go 1.26.0

replace wild/service => ../../service

require (
	github.com/klauspost/reedsolomon v1.14.2
	wild/service v0.0.0
)

require (
	github.com/klauspost/cpuid/v2 v2.3.0 // indirect
	golang.org/x/sys v0.30.0 // indirect
)
