module wild/ozzo-email-looks-up-mx

go 1.26.0

require (
	github.com/go-ozzo/ozzo-validation/v4 v4.3.0
	golang.org/x/net v0.42.0
	wild/service v0.0.0
)

require github.com/asaskevich/govalidator v0.0.0-20200108200545-475eaeb16496 // indirect

replace wild/service => ../../service
