module wild/rehttp-buffers-exports

go 1.26.0

require (
	github.com/PuerkitoBio/rehttp v1.4.0
	wild/service v0.0.0
)

replace wild/service => ../../service
