module wild/jwt-header-dots

go 1.23

require (
	github.com/golang-jwt/jwt/v5 v5.2.2
	wild/service v0.0.0
)

replace wild/service => ../../service
