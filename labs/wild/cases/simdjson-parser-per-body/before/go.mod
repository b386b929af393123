module wild/simdjson-parser-per-body

go 1.26.0

require (
	github.com/minio/simdjson-go v0.4.5
	github.com/valyala/fasthttp v1.69.0
	wild/service v0.0.0
)

require (
	github.com/andybalholm/brotli v1.2.0 // indirect
	github.com/klauspost/compress v1.18.2 // indirect
	github.com/klauspost/cpuid/v2 v2.2.3 // indirect
	github.com/valyala/bytebufferpool v1.0.0 // indirect
)

replace wild/service => ../../service
