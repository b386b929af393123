package proc

// Script is what a guard runs: POSIX shell, and its arguments.
type Script struct {
	Text string
	Args []string
}
