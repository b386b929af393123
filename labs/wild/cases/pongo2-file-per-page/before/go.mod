module wild/pongo2-file-per-page

go 1.26.0

require (
	github.com/flosch/pongo2/v6 v6.0.0
	wild/service v0.0.0
)

replace wild/service => ../../service
