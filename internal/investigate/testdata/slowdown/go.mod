module example.com/slowdown

go 1.22
