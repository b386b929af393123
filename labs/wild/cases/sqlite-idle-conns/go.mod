module wild/sqlite-idle-conns

go 1.23
