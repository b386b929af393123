module wild/mysql-prepare-per-query

go 1.23

require (
	github.com/go-sql-driver/mysql v1.9.2
	wild/service v0.0.0
)

require filippo.io/edwards25519 v1.1.0 // indirect

replace wild/service => ../../service
