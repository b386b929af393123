module wild/workerpool-shared-with-printers

go 1.26.0

require (
	github.com/gammazero/workerpool v1.3.0
	wild/service v0.0.0
)

require github.com/gammazero/deque v1.2.2 // indirect

replace wild/service => ../../service
