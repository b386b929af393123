module wild/lz4-buffer-per-export

go 1.23

require wild/service v0.0.0

replace wild/service => ../../service
