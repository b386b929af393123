module wild/runewidth-grapheme-tables

go 1.26.0

require (
	github.com/mattn/go-runewidth v0.0.16
	wild/service v0.0.0
)

require github.com/rivo/uniseg v0.2.0 // indirect

replace wild/service => ../../service
