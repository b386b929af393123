module wild/badger-prefetch-values

go 1.23
