module wild/sqlx-lifetime-nanoseconds

go 1.25.0

require (
	github.com/jackc/pgx/v5 v5.9.0
	github.com/jmoiron/sqlx v1.4.0
	github.com/lib/pq v1.12.3
	wild/service v0.0.0
)

replace wild/service => ../../service
