module wild/gocron-waitmode-spin

go 1.23
