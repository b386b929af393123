module wild/lumberjack-logger-per-order

go 1.26.0

require (
	gopkg.in/natefinch/lumberjack.v2 v2.2.1
	wild/service v0.0.0
)

replace wild/service => ../../service
