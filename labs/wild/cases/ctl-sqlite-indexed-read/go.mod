module wild/ctl-sqlite-indexed-read

go 1.23
