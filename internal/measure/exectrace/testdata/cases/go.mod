module example.com/cases

go 1.22

// The limiter's frames are those of the real one, and nothing needs fetching.
require golang.org/x/time v0.0.0

replace golang.org/x/time => ./xtime
