module wild/chroma-style-css

go 1.23

require (
	github.com/alecthomas/chroma/v2 v2.12.0
	wild/service v0.0.0
)

require github.com/dlclark/regexp2 v1.10.0 // indirect

replace wild/service => ../../service
