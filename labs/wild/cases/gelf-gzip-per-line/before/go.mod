module wild/gelf-gzip-per-line

go 1.26.0

require (
	github.com/Graylog2/go-gelf v0.0.0-20191017102106-1550ee647df0
	wild/service v0.0.0
)

replace wild/service => ../../service
