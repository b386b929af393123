module wild/sessions-files-behind-one-lock

go 1.26.0

require (
	github.com/gorilla/sessions v1.4.0
	wild/service v0.0.0
)

require github.com/gorilla/securecookie v1.1.2 // indirect

replace wild/service => ../../service
