module wild/renameio-tempdir-probe

go 1.25

require (
	github.com/google/renameio/v2 v2.0.2
	wild/service v0.0.0
)

replace wild/service => ../../service
