module wild/service

go 1.23
