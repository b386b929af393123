module wild/zxcvbn-long-passphrase

go 1.26.0

require (
	github.com/trustelem/zxcvbn v1.0.1
	wild/service v0.0.0
)

require github.com/dlclark/regexp2 v1.12.0 // indirect

replace wild/service => ../../service
