module wild/lz4-buffer-per-export

go 1.25

require (
	github.com/pierrec/lz4 v2.6.1+incompatible
	wild/service v0.0.0
)

require github.com/frankban/quicktest v1.14.6 // indirect

replace wild/service => ../../service
