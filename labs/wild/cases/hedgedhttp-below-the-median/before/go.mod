module wild/hedgedhttp-below-the-median

go 1.26.0

require (
	github.com/cristalhq/hedgedhttp v0.9.2
	wild/service v0.0.0
)

replace wild/service => ../../service
