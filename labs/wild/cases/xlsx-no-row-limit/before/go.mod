module wild/xlsx-no-row-limit

go 1.26.0

require (
	github.com/tealeg/xlsx/v3 v3.3.13
	wild/service v0.0.0
)

require (
	github.com/frankban/quicktest v1.14.6 // indirect
	github.com/google/btree v1.0.0 // indirect
	github.com/google/go-cmp v0.5.9 // indirect
	github.com/kr/pretty v0.3.1 // indirect
	github.com/kr/text v0.2.0 // indirect
	github.com/peterbourgon/diskv/v3 v3.0.1 // indirect
	github.com/rogpeppe/fastuuid v1.2.0 // indirect
	github.com/rogpeppe/go-internal v1.9.0 // indirect
	github.com/shabbyrobe/xmlwriter v0.0.0-20200208144257-9fca06d00ffa // indirect
	golang.org/x/text v0.3.8 // indirect
)

replace wild/service => ../../service
