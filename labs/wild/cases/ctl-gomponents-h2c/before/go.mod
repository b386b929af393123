module wild/ctl-gomponents-h2c

go 1.26.0

require (
	github.com/go-chi/chi/v5 v5.5.0
	maragu.dev/gomponents v1.2.0
	wild/service v0.0.0
)

replace wild/service => ../../service
