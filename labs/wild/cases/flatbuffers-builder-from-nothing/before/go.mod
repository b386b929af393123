module wild/flatbuffers-builder-from-nothing

go 1.26.0

require (
	github.com/google/flatbuffers v25.12.19+incompatible
	wild/service v0.0.0
)

replace wild/service => ../../service
