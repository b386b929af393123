module wild/bpool-buffers-too-small

go 1.26.0

replace wild/service => ../../service

require (
	github.com/oxtoacart/bpool v0.0.0-20190530202638-03653db5a59c
	wild/service v0.0.0
)
