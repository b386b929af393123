module wild/ctl-pbkdf2-login

go 1.23

require (
	golang.org/x/crypto v0.31.0
	wild/service v0.0.0
)

replace wild/service => ../../service
