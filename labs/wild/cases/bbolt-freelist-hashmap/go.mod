module wild/bbolt-freelist-hashmap

go 1.23
