module wild/typesetting-shaper-per-line

go 1.26.0

require (
	github.com/go-text/typesetting v0.3.5
	golang.org/x/image v0.23.0
	wild/service v0.0.0
)

replace wild/service => ../../service
