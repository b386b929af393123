module wild/ctl-pkcs8-passphrase

go 1.26.0

require wild/service v0.0.0

replace wild/service => ../../service
