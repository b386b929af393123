module wild/natsext-gathers-to-the-end

go 1.26.0

require (
	github.com/nats-io/nats-server/v2 v2.10.24
	github.com/nats-io/nats.go v1.52.0
	github.com/synadia-io/orbit.go/natsext v0.1.3
	wild/service v0.0.0
)

require (
	github.com/klauspost/compress v1.19.1 // indirect
	github.com/minio/highwayhash v1.0.3 // indirect
	github.com/nats-io/jwt/v2 v2.7.3 // indirect
	github.com/nats-io/nkeys v0.4.16 // indirect
	github.com/nats-io/nuid v1.0.1 // indirect
	golang.org/x/crypto v0.54.0 // indirect
	golang.org/x/sys v0.47.0 // indirect
	golang.org/x/time v0.8.0 // indirect
)

replace wild/service => ../../service
