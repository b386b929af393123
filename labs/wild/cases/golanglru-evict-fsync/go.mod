module wild/golanglru-evict-fsync

go 1.23
