module wild/render-development-mode

go 1.23

require (
	github.com/unrolled/render v1.1.0
	wild/service v0.0.0
)

replace wild/service => ../../service
