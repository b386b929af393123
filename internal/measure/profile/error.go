package profile

import "strings"

// fileError says which profile could not be read and why.
type fileError struct {
	Name  string // the file or address that the bytes came from
	Cause string // what is wrong, and what to do about it when that can be told
	Err   error  // the error below, if any
}

// Error prints "profile NAME: CAUSE".
func (e *fileError) Error() string {
	var b strings.Builder
	b.WriteString("profile ")
	if e.Name != "" {
		b.WriteString(e.Name)
		b.WriteString(": ")
	}
	b.WriteString(e.Cause)
	if e.Err != nil {
		b.WriteString(": ")
		b.WriteString(e.Err.Error())
	}
	return b.String()
}

// Unwrap returns the error below.
func (e *fileError) Unwrap() error { return e.Err }
