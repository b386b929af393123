module wild/readability-regexps

go 1.26.0

require (
	github.com/go-shiori/go-readability v0.0.0-20241012063810-92284fa8a71f
	golang.org/x/net v0.29.0
	wild/service v0.0.0
)

require (
	github.com/andybalholm/cascadia v1.3.2 // indirect
	github.com/araddon/dateparse v0.0.0-20210429162001-6b43995a97de // indirect
	github.com/go-shiori/dom v0.0.0-20230515143342-73569d674e1c // indirect
	github.com/gogs/chardet v0.0.0-20211120154057-b7413eaefb8f // indirect
	golang.org/x/text v0.18.0 // indirect
)

replace wild/service => ../../service
