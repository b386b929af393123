module wild/casbin-reload-under-lock

go 1.26.0

require (
	github.com/casbin/casbin/v2 v2.135.0
	wild/service v0.0.0
)

require (
	github.com/bmatcuk/doublestar/v4 v4.6.1 // indirect
	github.com/casbin/govaluate v1.3.0 // indirect
	github.com/google/uuid v1.6.0 // indirect
)

replace wild/service => ../../service
