module wild/sentry-sync-transport

go 1.23

require (
	github.com/getsentry/sentry-go v0.31.1
	wild/service v0.0.0
)

require (
	golang.org/x/sys v0.18.0 // indirect
	golang.org/x/text v0.14.0 // indirect
)

replace wild/service => ../../service
