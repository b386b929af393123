module wild/copystructure-per-read

go 1.25

require (
	github.com/mitchellh/copystructure v1.2.0
	wild/service v0.0.0
)

require github.com/mitchellh/reflectwalk v1.0.2 // indirect

replace wild/service => ../../service
