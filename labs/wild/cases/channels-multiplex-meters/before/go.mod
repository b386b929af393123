module wild/channels-multiplex-meters

go 1.23

require (
	github.com/eapache/channels v1.1.0
	wild/service v0.0.0
)

require github.com/eapache/queue v1.1.0 // indirect

replace wild/service => ../../service
