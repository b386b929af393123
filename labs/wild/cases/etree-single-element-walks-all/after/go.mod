module wild/etree-single-element-walks-all

go 1.26.0

require (
	github.com/beevik/etree v1.6.0
	wild/service v0.0.0
)

replace wild/service => ../../service
