module wild/kivik-document-per-row

go 1.26.0

require (
	github.com/go-kivik/kivik/v4 v4.5.2
	wild/service v0.0.0
)

require (
	github.com/google/uuid v1.6.0 // indirect
	golang.org/x/net v0.35.0 // indirect
	golang.org/x/sync v0.11.0 // indirect
)

replace wild/service => ../../service
