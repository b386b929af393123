module wild/tink-envelope-kms-per-field

go 1.26.0

require (
	github.com/tink-crypto/tink-go/v2 v2.9.0
	wild/service v0.0.0
)

require (
	golang.org/x/crypto v0.53.0 // indirect
	golang.org/x/sys v0.46.0 // indirect
	google.golang.org/protobuf v1.36.11 // indirect
)

replace wild/service => ../../service
