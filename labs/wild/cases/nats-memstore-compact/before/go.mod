module wild/nats-memstore-compact

go 1.23

require (
	github.com/nats-io/nats-server/v2 v2.10.11
	github.com/nats-io/nats.go v1.33.1
	wild/service v0.0.0
)

require (
	github.com/klauspost/compress v1.17.6 // indirect
	github.com/minio/highwayhash v1.0.2 // indirect
	github.com/nats-io/jwt/v2 v2.5.3 // indirect
	github.com/nats-io/nkeys v0.4.7 // indirect
	github.com/nats-io/nuid v1.0.1 // indirect
	golang.org/x/crypto v0.19.0 // indirect
	golang.org/x/sys v0.17.0 // indirect
	golang.org/x/time v0.5.0 // indirect
)

replace wild/service => ../../service
