module wild/pq-two-round-trips

go 1.26.0

require (
	github.com/jackc/pgx/v5 v5.9.0
	github.com/lib/pq v1.12.3
	wild/service v0.0.0
)

replace wild/service => ../../service
