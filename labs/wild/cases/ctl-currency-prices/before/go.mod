module wild/ctl-currency-prices

go 1.26.0

require (
	github.com/bojanz/currency v1.4.2
	wild/service v0.0.0
)

require github.com/cockroachdb/apd/v3 v3.2.1 // indirect

replace wild/service => ../../service
