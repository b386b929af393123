module wild/meilisearch-wait-interval

go 1.26.0

require (
	github.com/meilisearch/meilisearch-go v0.36.3
	wild/service v0.0.0
)

require (
	github.com/andybalholm/brotli v1.1.1 // indirect
	github.com/golang-jwt/jwt/v5 v5.3.1 // indirect
)

replace wild/service => ../../service
