package archtest

// known is what is larger than the limits of the policy today. It is empty. Where it must
// have a row again, that can shrink and not grow: the check fails until a part that got
// smaller has its new number here, and until one that is within its limit is gone.
var known []Excess

// symbols are the names of functions and types of Go that stand outside of the
// catalogue today.
var symbols = []Symbol{
	{"labs/wild/cases/stack-all-watchdog/main.go", "sync.(*Mutex).Lock", "the service looks for it in its own stacks"},
	{"labs/wild/cases/swag-names-of-fields/main.go", "time.Time", "the service writes the source of types with it"},
	{"internal/facts/waits.go", "internal/poll.fdMutex", "a type of locks in documents: no function is compared with it"},
	{"internal/facts/waits.go", "sync.RWMutex (write)", "a type of locks in documents: no function is compared with it"},
	{"internal/measure/exectrace/event.go", "sync.(*Cond).Wait", "a reason to wait, which traces spell like a function: no function is compared with it"},
	{"internal/report/summary_tail.go", "runtime.", "whether a call is the runtime's own: roles.Runtime, which report does not import"},
}
