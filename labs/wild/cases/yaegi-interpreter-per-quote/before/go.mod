module wild/yaegi-interpreter-per-quote

go 1.26.0

require (
	github.com/traefik/yaegi v0.16.1
	wild/service v0.0.0
)

replace wild/service => ../../service
