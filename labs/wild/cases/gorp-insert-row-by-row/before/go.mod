module wild/gorp-insert-row-by-row

go 1.26.0

require (
	github.com/go-gorp/gorp/v3 v3.1.0
	github.com/jackc/pgx/v5 v5.9.0
	wild/service v0.0.0
)

require (
	github.com/jackc/pgpassfile v1.0.0 // indirect
	github.com/jackc/pgservicefile v0.0.0-20240606120523-5a60cdf6a761 // indirect
	github.com/jackc/puddle/v2 v2.2.2 // indirect
	golang.org/x/sync v0.17.0 // indirect
	golang.org/x/text v0.29.0 // indirect
)

replace wild/service => ../../service
