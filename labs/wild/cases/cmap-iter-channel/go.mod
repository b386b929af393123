module wild/cmap-iter-channel

go 1.23
