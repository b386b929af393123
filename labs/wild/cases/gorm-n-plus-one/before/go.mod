module wild/gorm-n-plus-one

go 1.23

require (
	gorm.io/driver/mysql v1.5.7
	gorm.io/gorm v1.25.12
	wild/service v0.0.0
)

require (
	github.com/go-sql-driver/mysql v1.7.0 // indirect
	github.com/jinzhu/inflection v1.0.0 // indirect
	github.com/jinzhu/now v1.1.5 // indirect
	golang.org/x/text v0.14.0 // indirect
)

replace wild/service => ../../service
