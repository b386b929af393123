module wild/xnet-h2-strict-streams

go 1.26.0

require (
	golang.org/x/net v0.30.0
	wild/service v0.0.0
)

require golang.org/x/text v0.19.0 // indirect

replace wild/service => ../../service
