module wild/mimetype-csv-reader

go 1.23

require wild/service v0.0.0

require github.com/gabriel-vasile/mimetype v1.4.12

replace wild/service => ../../service
