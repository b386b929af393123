module wild/brotli-best-for-reports

go 1.26.0

require (
	github.com/andybalholm/brotli v1.2.0
	wild/service v0.0.0
)

replace wild/service => ../../service
