module wild/gofakeit-template-per-letter

go 1.26.0

require (
	github.com/brianvoe/gofakeit/v7 v7.18.2
	wild/service v0.0.0
)

replace wild/service => ../../service
