module wild/clientcredentials-token-per-call

go 1.26.0

require (
	golang.org/x/oauth2 v0.38.0
	wild/service v0.0.0
)

replace wild/service => ../../service
