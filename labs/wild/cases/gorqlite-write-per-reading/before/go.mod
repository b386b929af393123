module wild/gorqlite-write-per-reading

go 1.26.0

replace wild/service => ../../service

require (
	github.com/rqlite/gorqlite v0.0.0-20261020015727-7224ce2bd419
	wild/service v0.0.0
)
