module wild/bbolt-update-batch

go 1.23
