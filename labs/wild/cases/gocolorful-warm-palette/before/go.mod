module wild/gocolorful-warm-palette

go 1.26.0

require (
	github.com/lucasb-eyer/go-colorful v1.3.0
	wild/service v0.0.0
)

replace wild/service => ../../service
