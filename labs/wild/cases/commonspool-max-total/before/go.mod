module wild/commonspool-max-total

go 1.23

require (
	github.com/jolestar/go-commons-pool/v2 v2.1.2
	wild/service v0.0.0
)

replace wild/service => ../../service
