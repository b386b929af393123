module wild/resend-mail-per-guest

go 1.26.0

require (
	github.com/resend/resend-go/v2 v2.28.0
	wild/service v0.0.0
)

replace wild/service => ../../service
