module wild/redigo-idle-conns

go 1.23

require (
	github.com/gomodule/redigo v1.9.2
	wild/service v0.0.0
)

replace wild/service => ../../service
