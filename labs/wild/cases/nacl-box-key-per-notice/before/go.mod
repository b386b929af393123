module wild/nacl-box-key-per-notice

go 1.26.0

require (
	golang.org/x/crypto v0.59.0
	wild/service v0.0.0
)

require golang.org/x/sys v0.50.0 // indirect

replace wild/service => ../../service
