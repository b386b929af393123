module wild/template-clone-per-request

go 1.24

require wild/service v0.0.0

replace wild/service => ../../service
