module wild/ctl-age-passphrase

go 1.25

require (
	filippo.io/age v1.2.1
	wild/service v0.0.0
)

require (
	golang.org/x/crypto v0.24.0 // indirect
	golang.org/x/sys v0.21.0 // indirect
)

replace wild/service => ../../service
