module wild/ctl-juju-translations

go 1.26.0

replace wild/service => ../../service

require (
	github.com/juju/ratelimit v1.0.2
	wild/service v0.0.0
)

require gopkg.in/check.v1 v1.0.0-20201130134442-10cb98267c6c // indirect
