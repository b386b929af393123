module wild/readmemstats-per-request

go 1.23
