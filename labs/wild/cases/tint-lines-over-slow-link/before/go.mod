module wild/tint-lines-over-slow-link

go 1.26.0

require (
	github.com/lmittmann/tint v1.2.1
	wild/service v0.0.0
)

replace wild/service => ../../service
