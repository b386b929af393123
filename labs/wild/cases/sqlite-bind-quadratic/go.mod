module wild/sqlite-bind-quadratic

go 1.26
