module wild/gg-font-face-per-image

go 1.26.0

require (
	github.com/fogleman/gg v1.3.0
	github.com/golang/freetype v0.0.0-20170609003504-e2365dfdc4a0
	golang.org/x/image v0.47.0
	wild/service v0.0.0
)

replace wild/service => ../../service
