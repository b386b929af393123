module wild/gorm-default-transaction

go 1.25

require (
	gorm.io/driver/mysql v1.3.6
	gorm.io/gorm v1.31.2
	wild/service v0.0.0
)

require (
	github.com/go-sql-driver/mysql v1.6.0 // indirect
	github.com/jinzhu/inflection v1.0.0 // indirect
	github.com/jinzhu/now v1.1.5 // indirect
	golang.org/x/text v0.20.0 // indirect
)

replace wild/service => ../../service
