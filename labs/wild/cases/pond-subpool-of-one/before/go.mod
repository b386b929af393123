module wild/pond-subpool-of-one

go 1.26.0

require (
	github.com/alitto/pond/v2 v2.7.1
	wild/service v0.0.0
)

replace wild/service => ../../service
