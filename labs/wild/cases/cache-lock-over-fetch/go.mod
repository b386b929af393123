module wild/cache-lock-over-fetch

go 1.23
