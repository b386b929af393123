module wild/fluent-post-slow-peer

go 1.23.5

require (
	github.com/fluent/fluent-logger-golang v1.10.0
	wild/service v0.0.0
)

require (
	github.com/philhofer/fwd v1.1.3-0.20240916144458-20a13a1f6b7c // indirect
	github.com/tinylib/msgp v1.3.0 // indirect
)

replace wild/service => ../../service
