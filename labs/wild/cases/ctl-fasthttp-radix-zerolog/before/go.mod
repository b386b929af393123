module wild/ctl-fasthttp-radix-zerolog

go 1.23

require (
	github.com/armon/go-radix v1.0.0
	github.com/rs/zerolog v1.35.1
	github.com/valyala/fasthttp v1.58.0
	wild/service v0.0.0
)

require (
	github.com/andybalholm/brotli v1.1.1 // indirect
	github.com/klauspost/compress v1.17.11 // indirect
	github.com/mattn/go-colorable v0.1.14 // indirect
	github.com/mattn/go-isatty v0.0.20 // indirect
	github.com/valyala/bytebufferpool v1.0.0 // indirect
	golang.org/x/sys v0.29.0 // indirect
)

replace wild/service => ../../service
