module wild/beanstalk-reserve-on-shared-conn

go 1.26.0

replace wild/service => ../../service

require (
	github.com/beanstalkd/go-beanstalk v0.2.0
	wild/service v0.0.0
)
