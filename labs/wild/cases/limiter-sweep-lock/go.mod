module wild/limiter-sweep-lock

go 1.23
