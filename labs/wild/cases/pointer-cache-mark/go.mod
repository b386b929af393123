module wild/pointer-cache-mark

go 1.23

require wild/service v0.0.0

replace wild/service => ../../service
