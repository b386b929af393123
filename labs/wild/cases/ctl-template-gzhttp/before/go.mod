module wild/ctl-template-gzhttp

go 1.23

require (
	github.com/klauspost/compress v1.17.11
	wild/service v0.0.0
)

replace wild/service => ../../service
