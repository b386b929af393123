module wild/brotli-fasthttp-reset

go 1.23

require (
	github.com/valyala/fasthttp v1.16.0
	wild/service v0.0.0
)

require (
	github.com/andybalholm/brotli v1.0.0 // indirect
	github.com/klauspost/compress v1.10.7 // indirect
	github.com/valyala/bytebufferpool v1.0.0 // indirect
)

replace wild/service => ../../service
