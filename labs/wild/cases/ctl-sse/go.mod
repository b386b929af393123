module wild/ctl-sse

go 1.23
