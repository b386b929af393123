module wild/semver-coerced-versions

go 1.25

require (
	github.com/Masterminds/semver/v3 v3.2.1
	wild/service v0.0.0
)

replace wild/service => ../../service
