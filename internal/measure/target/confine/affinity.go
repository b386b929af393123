package confine

// AffinityError is a set of processors that cannot be had.
type AffinityError struct{ err error }

// Error returns the message of the cause.
func (e *AffinityError) Error() string { return e.err.Error() }

// Unwrap returns the cause.
func (e *AffinityError) Unwrap() error { return e.err }
