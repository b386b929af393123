module wild/cache2go-check-of-all-items

go 1.26.0

require (
	github.com/muesli/cache2go v0.0.0-20221011235721-518229cd8021
	wild/service v0.0.0
)

replace wild/service => ../../service
