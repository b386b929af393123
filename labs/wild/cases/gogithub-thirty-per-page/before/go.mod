module wild/gogithub-thirty-per-page

go 1.26.0

require (
	github.com/google/go-github/v74 v74.0.0
	wild/service v0.0.0
)

require github.com/google/go-querystring v1.1.0 // indirect

replace wild/service => ../../service
