module wild/goldmark-heading-ids

go 1.23

require (
	github.com/yuin/goldmark v1.8.7
	wild/service v0.0.0
)

replace wild/service => ../../service
