module wild/smetrics-clauses-nearly-alike

go 1.26.0

require (
	github.com/valyala/fasthttp v1.68.0
	github.com/xrash/smetrics v0.0.0-20250705151800-55b8f293f342
	wild/service v0.0.0
)

require (
	github.com/andybalholm/brotli v1.2.0 // indirect
	github.com/klauspost/compress v1.18.1 // indirect
	github.com/valyala/bytebufferpool v1.0.0 // indirect
)

replace wild/service => ../../service
