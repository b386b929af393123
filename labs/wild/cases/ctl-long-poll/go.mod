module wild/ctl-long-poll

go 1.23
