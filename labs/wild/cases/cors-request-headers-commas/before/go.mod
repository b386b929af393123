module wild/cors-request-headers-commas

go 1.23

require wild/service v0.0.0

require github.com/rs/cors v1.10.1

replace wild/service => ../../service
