module wild/time-loadlocation-per-call

go 1.23
