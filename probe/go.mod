module github.com/unpark-go/unpark/probe

go 1.22
