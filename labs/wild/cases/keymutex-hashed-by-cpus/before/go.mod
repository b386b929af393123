module wild/keymutex-hashed-by-cpus

go 1.26.0

require (
	k8s.io/utils v0.0.0-20251222233032-718f0e51e6d2
	wild/service v0.0.0
)

replace wild/service => ../../service
