module wild/imap-fetch-one-by-one

go 1.26.0

require (
	github.com/emersion/go-imap/v2 v2.0.0-beta.8
	wild/service v0.0.0
)

require (
	github.com/emersion/go-message v0.18.2 // indirect
	github.com/emersion/go-sasl v0.0.0-20241020182733-b788ff22d5a6 // indirect
)

replace wild/service => ../../service
