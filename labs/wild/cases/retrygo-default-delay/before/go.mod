module wild/retrygo-default-delay

go 1.23

require wild/service v0.0.0

require github.com/avast/retry-go/v4 v4.7.0

replace wild/service => ../../service
