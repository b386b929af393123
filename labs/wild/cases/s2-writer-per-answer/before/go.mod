module wild/s2-writer-per-answer

go 1.26.0

require (
	github.com/klauspost/compress v1.18.2
	wild/service v0.0.0
)

replace wild/service => ../../service
