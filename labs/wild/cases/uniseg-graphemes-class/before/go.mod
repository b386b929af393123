module wild/uniseg-graphemes-class

go 1.26.0

require (
	github.com/rivo/uniseg v0.4.7
	wild/service v0.0.0
)

replace wild/service => ../../service
