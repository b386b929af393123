module wild/httpcache-not-to-the-end

go 1.26.0

require (
	github.com/gregjones/httpcache v0.0.0-20190611155906-901d90724c79
	wild/service v0.0.0
)

replace wild/service => ../../service
