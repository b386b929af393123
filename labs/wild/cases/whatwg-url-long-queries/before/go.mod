module wild/whatwg-url-long-queries

go 1.26.0

require (
	github.com/nlnwa/whatwg-url v0.1.1
	wild/service v0.0.0
)

require (
	github.com/bits-and-blooms/bitset v1.2.2-0.20220111210104-dfa3e347c392 // indirect
	golang.org/x/net v0.0.0-20220114011407-0dd24b26b47d // indirect
	golang.org/x/text v0.3.6 // indirect
)

replace wild/service => ../../service
