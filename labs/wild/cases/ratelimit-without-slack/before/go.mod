module wild/ratelimit-without-slack

go 1.26.0

require (
	go.uber.org/ratelimit v0.3.1
	wild/service v0.0.0
)

require github.com/benbjohnson/clock v1.3.0 // indirect

replace wild/service => ../../service
