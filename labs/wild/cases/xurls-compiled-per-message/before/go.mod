module wild/xurls-compiled-per-message

go 1.23

require (
	mvdan.cc/xurls/v2 v2.3.0
	wild/service v0.0.0
)

replace wild/service => ../../service
