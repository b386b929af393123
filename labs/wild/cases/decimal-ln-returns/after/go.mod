module wild/decimal-ln-returns

go 1.23

require wild/service v0.0.0

require github.com/shopspring/decimal v1.6.0

replace wild/service => ../../service
