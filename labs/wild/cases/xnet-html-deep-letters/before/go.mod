module wild/xnet-html-deep-letters

go 1.26.0

require (
	golang.org/x/net v0.44.0
	wild/service v0.0.0
)

replace wild/service => ../../service
