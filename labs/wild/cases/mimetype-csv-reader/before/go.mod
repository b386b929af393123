module wild/mimetype-csv-reader

go 1.23

require (
	github.com/gabriel-vasile/mimetype v1.4.2
	wild/service v0.0.0
)

require golang.org/x/net v0.8.0 // indirect

replace wild/service => ../../service
