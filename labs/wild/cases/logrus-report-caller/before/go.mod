module wild/logrus-report-caller

go 1.25

require (
	github.com/sirupsen/logrus v1.9.4
	wild/service v0.0.0
)

require golang.org/x/sys v0.13.0 // indirect

replace wild/service => ../../service
