module wild/sentences-tokenizer-per-letter

go 1.26.0

require (
	github.com/neurosnap/sentences v1.1.2
	wild/service v0.0.0
)

replace wild/service => ../../service
