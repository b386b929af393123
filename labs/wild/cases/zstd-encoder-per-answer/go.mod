module wild/zstd-encoder-per-answer

go 1.23
