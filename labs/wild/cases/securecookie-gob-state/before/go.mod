module wild/securecookie-gob-state

go 1.26.0

require (
	github.com/gorilla/securecookie v1.1.2
	wild/service v0.0.0
)

replace wild/service => ../../service
