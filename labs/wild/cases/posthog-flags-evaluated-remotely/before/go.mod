module wild/posthog-flags-evaluated-remotely

go 1.26.0

require (
	github.com/posthog/posthog-go v1.5.2
	wild/service v0.0.0
)

replace wild/service => ../../service
