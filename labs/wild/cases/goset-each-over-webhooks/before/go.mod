module wild/goset-each-over-webhooks

go 1.26.0

require (
	github.com/deckarep/golang-set/v2 v2.9.0
	wild/service v0.0.0
)

require go.mongodb.org/mongo-driver v1.17.4 // indirect

replace wild/service => ../../service
