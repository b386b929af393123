module wild/xmlquery-whole-catalogue

go 1.26.0

require (
	github.com/antchfx/xmlquery v1.5.2
	wild/service v0.0.0
)

require (
	github.com/antchfx/xpath v1.3.9 // indirect
	github.com/golang/groupcache v0.0.0-20210331224755-41bb18bfe9da // indirect
	golang.org/x/net v0.33.0 // indirect
	golang.org/x/text v0.21.0 // indirect
)

replace wild/service => ../../service
