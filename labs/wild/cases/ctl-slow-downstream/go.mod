module wild/ctl-slow-downstream

go 1.23
