module wild/ctl-large-json

go 1.23

require (
	github.com/segmentio/encoding v0.5.4
	wild/service v0.0.0
)

require (
	github.com/segmentio/asm v1.1.3 // indirect
	golang.org/x/sys v0.0.0-20211110154304-99a53858aa08 // indirect
)

replace wild/service => ../../service
