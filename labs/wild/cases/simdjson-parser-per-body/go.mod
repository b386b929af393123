module wild/simdjson-parser-per-body

go 1.23

require wild/service v0.0.0

replace wild/service => ../../service
