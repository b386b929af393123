module wild/i18n-message-of-default-language

go 1.26.0

require (
	github.com/nicksnyder/go-i18n/v2 v2.1.2
	golang.org/x/text v0.3.3
	wild/service v0.0.0
)

replace wild/service => ../../service
