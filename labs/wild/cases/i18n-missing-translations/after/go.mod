module wild/i18n-missing-translations

go 1.26.0

require (
	github.com/nicksnyder/go-i18n/v2 v2.4.0
	golang.org/x/text v0.14.0
	wild/service v0.0.0
)

replace wild/service => ../../service
