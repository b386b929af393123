module wild/ctl-twirp-two-partners

go 1.26.0

require (
	github.com/twitchtv/twirp v8.1.3+incompatible
	golang.org/x/sync v0.23.0
	wild/service v0.0.0
)

require (
	github.com/pkg/errors v0.9.1 // indirect
	google.golang.org/protobuf v1.36.12 // indirect
)

replace wild/service => ../../service
