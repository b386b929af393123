module wild/ws-one-link-under-lock

go 1.26.0

require (
	github.com/gobwas/ws v1.5.0
	wild/service v0.0.0
)

require github.com/gobwas/httphead v0.1.0 // indirect

replace wild/service => ../../service
