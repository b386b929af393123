module wild/ctl-errgroup-batch

go 1.23
