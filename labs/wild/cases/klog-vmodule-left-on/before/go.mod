module wild/klog-vmodule-left-on

go 1.25

require (
	k8s.io/klog/v2 v2.140.0
	wild/service v0.0.0
)

require github.com/go-logr/logr v1.4.1 // indirect

replace wild/service => ../../service
