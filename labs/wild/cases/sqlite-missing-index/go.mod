module wild/sqlite-missing-index

go 1.23
