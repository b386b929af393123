module wild/gosmtp-three-sessions

go 1.26.0

require (
	github.com/emersion/go-smtp v0.25.1
	wild/service v0.0.0
)

require github.com/emersion/go-sasl v0.0.0-20241020182733-b788ff22d5a6 // indirect

replace wild/service => ../../service
