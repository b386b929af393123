module wild/zap-development-in-production

go 1.26.0

require (
	go.uber.org/zap v1.27.0
	wild/service v0.0.0
)

require go.uber.org/multierr v1.10.0 // indirect

replace wild/service => ../../service
