module wild/ctl-rate-limited

go 1.23
