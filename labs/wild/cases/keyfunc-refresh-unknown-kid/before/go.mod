module wild/keyfunc-refresh-unknown-kid

go 1.26.0

require (
	github.com/MicahParks/keyfunc/v2 v2.1.0
	github.com/golang-jwt/jwt/v5 v5.3.1
	wild/service v0.0.0
)

replace wild/service => ../../service
