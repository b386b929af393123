module wild/deadlock-detector-left-on

go 1.26.0

require (
	github.com/sasha-s/go-deadlock v0.3.6
	golang.org/x/net v0.60.0
	wild/service v0.0.0
)

require (
	github.com/petermattis/goid v0.0.0-20250813065127-a731cc31b4fe // indirect
	golang.org/x/text v0.42.0 // indirect
)

replace wild/service => ../../service
