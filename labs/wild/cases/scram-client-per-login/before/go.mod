module wild/scram-client-per-login

go 1.26.0

require (
	github.com/xdg-go/scram v1.4.0
	wild/service v0.0.0
)

require (
	github.com/xdg-go/stringprep v1.0.4 // indirect
	golang.org/x/text v0.3.8 // indirect
)

replace wild/service => ../../service
