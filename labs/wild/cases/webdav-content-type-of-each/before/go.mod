module wild/webdav-content-type-of-each

go 1.26.0

require (
	golang.org/x/net v0.62.0
	wild/service v0.0.0
)

replace wild/service => ../../service
