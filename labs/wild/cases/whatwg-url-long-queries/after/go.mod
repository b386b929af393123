module wild/whatwg-url-long-queries

go 1.26.0

require (
	github.com/nlnwa/whatwg-url v0.6.2
	wild/service v0.0.0
)

require (
	github.com/bits-and-blooms/bitset v1.20.0 // indirect
	golang.org/x/net v0.34.0 // indirect
	golang.org/x/text v0.21.0 // indirect
)

replace wild/service => ../../service
