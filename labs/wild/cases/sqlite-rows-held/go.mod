module wild/sqlite-rows-held

go 1.23
