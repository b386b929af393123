module wild/ctl-mustache-menus

go 1.26.0

require (
	github.com/cbroglie/mustache v1.4.1
	github.com/dustin/go-humanize v1.0.1
	wild/service v0.0.0
)

replace wild/service => ../../service
