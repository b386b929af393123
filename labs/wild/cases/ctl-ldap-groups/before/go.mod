module wild/ctl-ldap-groups

go 1.26.0

require (
	github.com/go-asn1-ber/asn1-ber v1.5.8
	github.com/go-ldap/ldap/v3 v3.4.11
	wild/service v0.0.0
)

require (
	github.com/Azure/go-ntlmssp v0.0.0-20221128193559-754e69321358 // indirect
	github.com/google/uuid v1.6.0 // indirect
	golang.org/x/crypto v0.36.0 // indirect
)

replace wild/service => ../../service
