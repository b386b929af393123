module wild/govalidator-pattern-per-field

go 1.26.0

require (
	github.com/asaskevich/govalidator v0.0.0-20230301143203-a9d515a09cc2
	github.com/go-chi/chi/v5 v5.2.3
	wild/service v0.0.0
)

replace wild/service => ../../service
