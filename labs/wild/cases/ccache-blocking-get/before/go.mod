module wild/ccache-blocking-get

go 1.23

require (
	github.com/karlseguin/ccache/v2 v2.0.6
	wild/service v0.0.0
)

replace wild/service => ../../service
