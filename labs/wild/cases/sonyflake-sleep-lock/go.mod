module wild/sonyflake-sleep-lock

go 1.23
