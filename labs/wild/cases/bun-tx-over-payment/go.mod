module wild/bun-tx-over-payment

go 1.23

require wild/service v0.0.0

replace wild/service => ../../service
