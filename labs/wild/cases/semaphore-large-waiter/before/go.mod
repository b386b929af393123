module wild/semaphore-large-waiter

go 1.23

require (
	golang.org/x/sync v0.10.0
	wild/service v0.0.0
)

replace wild/service => ../../service
