module wild/http-body-not-drained

go 1.23
