module wild/ctl-echo-jwt-rs256

go 1.23

require wild/service v0.0.0

replace wild/service => ../../service
