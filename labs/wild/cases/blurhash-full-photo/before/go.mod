module wild/blurhash-full-photo

go 1.26.0

require (
	github.com/bbrks/go-blurhash v1.1.1
	golang.org/x/image v0.47.0
	wild/service v0.0.0
)

replace wild/service => ../../service
