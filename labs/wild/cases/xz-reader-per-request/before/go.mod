module wild/xz-reader-per-request

go 1.26.0

require (
	github.com/xi2/xz v0.0.0-20171230120015-48954b6210f8
	wild/service v0.0.0
)

replace wild/service => ../../service
