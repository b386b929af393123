module wild/tablewriter-departures

go 1.26.0

require (
	github.com/olekukonko/tablewriter v1.0.5
	wild/service v0.0.0
)

require (
	github.com/fatih/color v1.15.0 // indirect
	github.com/mattn/go-colorable v0.1.13 // indirect
	github.com/mattn/go-isatty v0.0.19 // indirect
	github.com/mattn/go-runewidth v0.0.16 // indirect
	github.com/olekukonko/errors v0.0.0-20250405072817-4e6d85265da6 // indirect
	github.com/olekukonko/ll v0.0.7 // indirect
	github.com/rivo/uniseg v0.2.0 // indirect
	golang.org/x/sys v0.12.0 // indirect
)

replace wild/service => ../../service
