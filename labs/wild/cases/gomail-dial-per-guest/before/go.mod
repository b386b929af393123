module wild/gomail-dial-per-guest

go 1.26.0

require (
	github.com/wneessen/go-mail v0.7.2
	wild/service v0.0.0
)

require golang.org/x/text v0.29.0 // indirect

replace wild/service => ../../service
