module wild/jwx-fetch-per-request

go 1.23

require (
	github.com/lestrrat-go/jwx/v2 v2.1.3
	wild/service v0.0.0
)

require (
	github.com/lestrrat-go/blackmagic v1.0.2 // indirect
	github.com/lestrrat-go/httpcc v1.0.1 // indirect
	github.com/lestrrat-go/httprc v1.0.6 // indirect
	github.com/lestrrat-go/iter v1.0.2 // indirect
	github.com/lestrrat-go/option v1.0.1 // indirect
	golang.org/x/crypto v0.29.0 // indirect
)

replace wild/service => ../../service
