module wild/logrus-hook-lock

go 1.23

require (
	github.com/sirupsen/logrus v1.7.0
	wild/service v0.0.0
)

require golang.org/x/sys v0.28.0 // indirect

replace wild/service => ../../service
