module wild/ctl-dkim-sign

go 1.26.0

require (
	github.com/emersion/go-msgauth v0.7.0
	wild/service v0.0.0
)

require golang.org/x/crypto v0.31.0 // indirect

replace wild/service => ../../service
