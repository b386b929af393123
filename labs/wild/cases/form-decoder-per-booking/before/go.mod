module wild/form-decoder-per-booking

go 1.26.0

require wild/service v0.0.0

require github.com/go-playground/form/v4 v4.2.1

replace wild/service => ../../service
