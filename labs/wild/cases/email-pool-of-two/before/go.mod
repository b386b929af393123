module wild/email-pool-of-two

go 1.26.0

replace wild/service => ../../service

require (
	github.com/jordan-wright/email v4.0.1-0.20210109023952-943e75fe5223+incompatible
	wild/service v0.0.0
)
