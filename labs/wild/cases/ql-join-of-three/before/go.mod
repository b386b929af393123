module wild/ql-join-of-three

go 1.26.0

require (
	modernc.org/ql v1.5.2
	wild/service v0.0.0
)

require (
	github.com/edsrzf/mmap-go v1.2.0 // indirect
	github.com/remyoudompheng/bigfft v0.0.0-20230129092748-24d4a6f8daec // indirect
	golang.org/x/sys v0.28.0 // indirect
	modernc.org/b v1.1.0 // indirect
	modernc.org/db v1.2.0 // indirect
	modernc.org/file v1.1.0 // indirect
	modernc.org/fileutil v1.4.0 // indirect
	modernc.org/golex v1.1.0 // indirect
	modernc.org/internal v1.1.10 // indirect
	modernc.org/lldb v1.0.8 // indirect
	modernc.org/mathutil v1.7.1 // indirect
	modernc.org/sortutil v1.1.1 // indirect
	modernc.org/strutil v1.2.1 // indirect
	modernc.org/zappy v1.0.9 // indirect
)

replace wild/service => ../../service
