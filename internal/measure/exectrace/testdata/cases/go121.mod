// For go build -modfile with a toolchain that knows no go 1.22.
module example.com/cases

go 1.21

require golang.org/x/time v0.0.0

replace golang.org/x/time => ./xtime
