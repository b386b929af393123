module wild/ctl-patricia-postcodes

go 1.26.0

require (
	github.com/rs/xid v1.6.0
	github.com/tchap/go-patricia/v2 v2.3.3
	wild/service v0.0.0
)

replace wild/service => ../../service
