package h1

import "math"

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// The bytes of a token (RFC 9110, section 5.6.2), as sets of bits: those below 64
// and those from 64 to 127.
const (
	tokenLow  = 0x3ff<<'0' | 1<<'!' | 1<<'#' | 1<<'$' | 1<<'%' | 1<<'&' | 1<<'\'' | 1<<'*' | 1<<'+' | 1<<'-' | 1<<'.'
	tokenHigh = 0x3ffffff<<('A'-64) | 0x3ffffff<<('a'-64) | 1<<('^'-64) | 1<<('_'-64) | 1<<('`'-64) | 1<<('|'-64) | 1<<('~'-64)
)

// isToken reports whether b can be the name of a field or a method.
func isToken[T []byte | string](b T) bool {
	for i := range len(b) {
		c := b[i]
		set := uint64(tokenLow)
		if c >= 64 {
			set = tokenHigh
		}
		if c >= 128 || set>>(c&63)&1 == 0 {
			return false
		}
	}
	return len(b) > 0
}

// equalFold compares with a word in lower case, in ASCII.
func equalFold[T []byte | string](b T, lower string) bool {
	if len(b) != len(lower) {
		return false
	}
	for i := range len(lower) {
		c := b[i]
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}

// trim removes optional white space (RFC 9110, section 5.6.3).
func trim(b []byte) []byte {
	for len(b) > 0 && (b[0] == ' ' || b[0] == '\t') {
		b = b[1:]
	}
	for len(b) > 0 && (b[len(b)-1] == ' ' || b[len(b)-1] == '\t') {
		b = b[:len(b)-1]
	}
	return b
}

// decimal reads a length: digits and nothing else.
func decimal(b []byte) (int64, bool) {
	n := int64(0)
	for _, c := range b {
		if !isDigit(c) || n > (math.MaxInt64-int64(c-'0'))/10 {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	return n, len(b) > 0
}

// hex returns the value of a hexadecimal digit.
func hex(c byte) (int64, bool) {
	switch {
	case isDigit(c):
		return int64(c - '0'), true
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return int64(c|0x20-'a') + 10, true
	}
	return 0, false
}
