module wild/godiff-character-mode

go 1.23

require (
	github.com/sergi/go-diff v1.3.1
	wild/service v0.0.0
)

replace wild/service => ../../service
