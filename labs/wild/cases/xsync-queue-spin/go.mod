module wild/xsync-queue-spin

go 1.23
