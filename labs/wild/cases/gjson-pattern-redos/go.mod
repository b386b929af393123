module wild/gjson-pattern-redos

go 1.23

require wild/service v0.0.0

replace wild/service => ../../service
