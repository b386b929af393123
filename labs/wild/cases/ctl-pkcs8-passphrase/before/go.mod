module wild/ctl-pkcs8-passphrase

go 1.26.0

require (
	github.com/youmark/pkcs8 v0.0.0-20240726163527-a2c0da244d78
	wild/service v0.0.0
)

require golang.org/x/crypto v0.22.0 // indirect

replace wild/service => ../../service
