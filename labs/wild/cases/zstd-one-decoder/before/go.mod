module wild/zstd-one-decoder

go 1.25

require (
	github.com/klauspost/compress v1.20.4
	wild/service v0.0.0
)

replace wild/service => ../../service
