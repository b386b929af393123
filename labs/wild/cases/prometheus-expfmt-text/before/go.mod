module wild/prometheus-expfmt-text

go 1.23

require (
	github.com/golang/protobuf v1.3.2
	github.com/prometheus/client_model v0.0.0-20180712105110-5c3871d89910
	github.com/prometheus/common v0.0.0-20180801064454-c7de2306084e
	wild/service v0.0.0
)

require github.com/matttproud/golang_protobuf_extensions v1.0.4 // indirect

replace wild/service => ../../service
