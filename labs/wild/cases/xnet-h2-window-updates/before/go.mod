module wild/xnet-h2-window-updates

go 1.23

require (
	golang.org/x/net v0.4.0
	wild/service v0.0.0
)

require golang.org/x/text v0.5.0 // indirect

replace wild/service => ../../service
