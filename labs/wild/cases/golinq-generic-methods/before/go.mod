module wild/golinq-generic-methods

go 1.26.0

require (
	github.com/ahmetb/go-linq/v3 v3.2.0
	github.com/valyala/fasthttp v1.68.0
	wild/service v0.0.0
)

require (
	github.com/andybalholm/brotli v1.2.0 // indirect
	github.com/klauspost/compress v1.18.1 // indirect
	github.com/valyala/bytebufferpool v1.0.0 // indirect
)

replace wild/service => ../../service
