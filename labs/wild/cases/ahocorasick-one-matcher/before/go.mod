module wild/ahocorasick-one-matcher

go 1.23

require (
	github.com/cloudflare/ahocorasick v0.0.0-20240916140611-054963ec9396
	wild/service v0.0.0
)

replace wild/service => ../../service
