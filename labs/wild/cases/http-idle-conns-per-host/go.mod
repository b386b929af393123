module wild/http-idle-conns-per-host

go 1.23
