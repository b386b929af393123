module wild/ctl-http3-partner

go 1.26.0

require (
	github.com/quic-go/quic-go v0.59.0
	wild/service v0.0.0
)

require (
	github.com/quic-go/qpack v0.6.0 // indirect
	golang.org/x/crypto v0.41.0 // indirect
	golang.org/x/net v0.43.0 // indirect
	golang.org/x/sys v0.35.0 // indirect
	golang.org/x/text v0.28.0 // indirect
)

replace wild/service => ../../service
