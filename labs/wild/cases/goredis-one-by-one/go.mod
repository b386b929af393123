module wild/goredis-one-by-one

go 1.23
