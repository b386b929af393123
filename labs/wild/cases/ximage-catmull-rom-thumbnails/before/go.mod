module wild/ximage-catmull-rom-thumbnails

go 1.26.0

require (
	golang.org/x/image v0.47.0
	wild/service v0.0.0
)

replace wild/service => ../../service
