// Package inner does the work of another.
package inner

// Serve reads what its parent's users set.
func Serve(c struct{ MaxPlaces int }) int { return c.MaxPlaces }
