module wild/roaring-or-in-loop

go 1.23

require (
	github.com/RoaringBitmap/roaring/v2 v2.4.5
	wild/service v0.0.0
)

require (
	github.com/bits-and-blooms/bitset v1.12.0 // indirect
	github.com/mschoch/smat v0.2.0 // indirect
)

replace wild/service => ../../service
