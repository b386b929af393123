module wild/ctl-etree-h2c

go 1.25

require (
	github.com/beevik/etree v1.6.0
	wild/service v0.0.0
)

replace wild/service => ../../service
