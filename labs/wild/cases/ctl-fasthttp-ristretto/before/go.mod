module wild/ctl-fasthttp-ristretto

go 1.23

require (
	github.com/dgraph-io/ristretto v0.2.0
	github.com/valyala/fasthttp v1.58.0
	wild/service v0.0.0
)

require (
	github.com/andybalholm/brotli v1.1.1 // indirect
	github.com/cespare/xxhash/v2 v2.1.1 // indirect
	github.com/dustin/go-humanize v1.0.1 // indirect
	github.com/klauspost/compress v1.17.11 // indirect
	github.com/pkg/errors v0.9.1 // indirect
	github.com/valyala/bytebufferpool v1.0.0 // indirect
	golang.org/x/sys v0.27.0 // indirect
)

replace wild/service => ../../service
