module wild/sqlite-reprepare

go 1.26
