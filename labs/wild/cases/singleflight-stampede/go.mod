module wild/singleflight-stampede

go 1.23
