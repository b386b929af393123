module wild/tiff-tiles-of-no-height

go 1.25

require (
	golang.org/x/image v0.9.0
	wild/service v0.0.0
)

replace wild/service => ../../service
