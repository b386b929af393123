module wild/pgzip-small-answers

go 1.23

require (
	github.com/klauspost/compress v1.17.11
	github.com/klauspost/pgzip v1.2.6
	wild/service v0.0.0
)

replace wild/service => ../../service
