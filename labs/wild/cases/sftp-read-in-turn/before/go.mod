module wild/sftp-read-in-turn

go 1.23

require (
	github.com/pkg/sftp v1.13.9
	wild/service v0.0.0
)

require (
	github.com/kr/fs v0.1.0 // indirect
	golang.org/x/crypto v0.31.0 // indirect
	golang.org/x/sys v0.28.0 // indirect
)

replace wild/service => ../../service
