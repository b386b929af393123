module wild/squirrel-stmtcache-of-literals

go 1.26.0

require (
	github.com/Masterminds/squirrel v1.5.4
	github.com/jackc/pgx/v5 v5.9.0
	github.com/lib/pq v1.10.9
	wild/service v0.0.0
)

require (
	github.com/lann/builder v0.0.0-20180802200727-47ae307949d0 // indirect
	github.com/lann/ps v0.0.0-20150810152359-62de8c46ede0 // indirect
)

replace wild/service => ../../service
