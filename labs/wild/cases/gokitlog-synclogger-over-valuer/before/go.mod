module wild/gokitlog-synclogger-over-valuer

go 1.26.0

require (
	github.com/go-kit/log v0.2.1
	wild/service v0.0.0
)

require github.com/go-logfmt/logfmt v0.5.1 // indirect

replace wild/service => ../../service
