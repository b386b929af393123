module wild/ghinstallation-transport-per-push

go 1.26.0

require (
	github.com/bradleyfalzon/ghinstallation/v2 v2.16.0
	wild/service v0.0.0
)

require (
	github.com/golang-jwt/jwt/v4 v4.5.2 // indirect
	github.com/google/go-github/v72 v72.0.0 // indirect
	github.com/google/go-querystring v1.1.0 // indirect
)

replace wild/service => ../../service
