module wild/zap-unbuffered-file

go 1.23
