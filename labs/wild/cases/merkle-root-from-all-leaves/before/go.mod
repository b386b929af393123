module wild/merkle-root-from-all-leaves

go 1.26.0

require (
	github.com/transparency-dev/merkle v0.0.2
	wild/service v0.0.0
)

replace wild/service => ../../service
