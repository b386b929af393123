module wild/gopacket-whole-packets

go 1.26.0

require (
	github.com/google/gopacket v1.1.19
	wild/service v0.0.0
)

require (
	golang.org/x/net v0.0.0-20190620200207-3b0461eec859 // indirect
	golang.org/x/sys v0.0.0-20190412213103-97732733099d // indirect
)

replace wild/service => ../../service
