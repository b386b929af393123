module wild/groupcache-default-transport

go 1.26.0

require (
	github.com/golang/groupcache v0.0.0-20241129210726-2c02b8208cf8
	github.com/valyala/fasthttp v1.68.0
	wild/service v0.0.0
)

require (
	github.com/andybalholm/brotli v1.2.0 // indirect
	github.com/golang/protobuf v1.5.4 // indirect
	github.com/klauspost/compress v1.18.1 // indirect
	github.com/valyala/bytebufferpool v1.0.0 // indirect
	google.golang.org/protobuf v1.33.0 // indirect
)

replace wild/service => ../../service
