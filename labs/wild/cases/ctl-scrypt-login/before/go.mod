module wild/ctl-scrypt-login

go 1.26.0

require (
	golang.org/x/crypto v0.43.0
	wild/service v0.0.0
)

replace wild/service => ../../service
