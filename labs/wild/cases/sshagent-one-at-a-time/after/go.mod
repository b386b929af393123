module wild/sshagent-one-at-a-time

go 1.26.0

require (
	golang.org/x/crypto v0.53.0
	wild/service v0.0.0
)

require golang.org/x/sys v0.46.0 // indirect

replace wild/service => ../../service
