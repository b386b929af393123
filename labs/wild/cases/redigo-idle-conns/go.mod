module wild/redigo-idle-conns

go 1.23
