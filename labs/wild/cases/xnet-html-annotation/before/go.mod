module wild/xnet-html-annotation

go 1.23

require (
	golang.org/x/net v0.32.0
	wild/service v0.0.0
)

replace wild/service => ../../service
