module wild/zstd-encoder-per-answer

go 1.24

require (
	github.com/klauspost/compress v1.19.1
	wild/service v0.0.0
)

replace wild/service => ../../service
