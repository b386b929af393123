module wild/fgprof-left-running

go 1.26.0

replace wild/service => ../../service

require (
	github.com/felixge/fgprof v0.9.5
	wild/service v0.0.0
)

require github.com/google/pprof v0.0.0-20240227163752-401108e1b7e7 // indirect
