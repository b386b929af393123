module wild/buntdb-sync-always

go 1.23
