module wild/bitset-overlaps-counted

go 1.26.0

require (
	github.com/bits-and-blooms/bitset v1.29.0
	wild/service v0.0.0
)

replace wild/service => ../../service
