module wild/ctl-chi-xml-feeds

go 1.26.0

require (
	github.com/go-chi/chi/v5 v5.2.3
	wild/service v0.0.0
)

replace wild/service => ../../service
