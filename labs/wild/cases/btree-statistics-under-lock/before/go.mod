module wild/btree-statistics-under-lock

go 1.26.0

replace wild/service => ../../service

require (
	github.com/google/btree v1.1.3
	wild/service v0.0.0
)
