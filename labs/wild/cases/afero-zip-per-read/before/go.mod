module wild/afero-zip-per-read

go 1.26.0

require (
	github.com/go-chi/chi/v5 v5.2.3
	github.com/spf13/afero v1.15.0
	wild/service v0.0.0
)

require golang.org/x/text v0.28.0 // indirect

replace wild/service => ../../service
