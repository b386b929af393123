module wild/ctl-otp-codes

go 1.26.0

require (
	github.com/pquerna/otp v1.5.0
	wild/service v0.0.0
)

require github.com/boombuler/barcode v1.0.1-0.20190219062509-6c824513bacc // indirect

replace wild/service => ../../service
