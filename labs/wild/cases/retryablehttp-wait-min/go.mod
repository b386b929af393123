module wild/retryablehttp-wait-min

go 1.23

require wild/service v0.0.0

replace wild/service => ../../service
