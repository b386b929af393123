module wild/swift-lock-over-upload

go 1.26.0

require (
	github.com/ncw/swift/v2 v2.0.5
	wild/service v0.0.0
)

replace wild/service => ../../service
