module wild/sonyflake-sleep-lock

go 1.23

require (
	github.com/sony/sonyflake v1.2.0
	wild/service v0.0.0
)

replace wild/service => ../../service
