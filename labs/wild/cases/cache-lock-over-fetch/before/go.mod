module wild/cache-lock-over-fetch

go 1.26.0

require (
	golang.org/x/sync v0.24.0
	wild/service v0.0.0
)

replace wild/service => ../../service
