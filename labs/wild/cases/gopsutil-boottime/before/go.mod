module wild/gopsutil-boottime

go 1.23

require (
	github.com/shirou/gopsutil/v4 v4.24.10
	wild/service v0.0.0
)

require (
	github.com/tklauser/go-sysconf v0.3.12 // indirect
	github.com/tklauser/numcpus v0.6.1 // indirect
	golang.org/x/sys v0.26.0 // indirect
)

replace wild/service => ../../service
