module wild/ctl-qr-tickets

go 1.25

require wild/service v0.0.0

replace wild/service => ../../service
