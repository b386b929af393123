module wild/ctl-uritemplate-slow-archive

go 1.26.0

require (
	github.com/yosida95/uritemplate/v3 v3.0.2
	wild/service v0.0.0
)

replace wild/service => ../../service
