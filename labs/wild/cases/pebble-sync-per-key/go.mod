module wild/pebble-sync-per-key

go 1.23
