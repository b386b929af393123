module wild/goimagehash-dct-tables

go 1.25

require (
	github.com/corona10/goimagehash v1.1.0
	wild/service v0.0.0
)

require github.com/nfnt/resize v0.0.0-20180221191011-83c6a9932646 // indirect

replace wild/service => ../../service
