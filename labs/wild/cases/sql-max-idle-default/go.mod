module wild/sql-max-idle-default

go 1.23
