module wild/base58-trivial-on-labels

go 1.26.0

require (
	github.com/mr-tron/base58 v1.3.0
	github.com/valyala/fasthttp v1.65.0
	wild/service v0.0.0
)

require (
	github.com/andybalholm/brotli v1.2.0 // indirect
	github.com/klauspost/compress v1.18.0 // indirect
	github.com/valyala/bytebufferpool v1.0.0 // indirect
)

replace wild/service => ../../service
