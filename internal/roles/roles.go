// Package roles says what a function of Go's runtime, its standard library or a
// well-known module does for the program that calls it: it syncs a file, dials, sleeps,
// encodes, allocates. Rules and models ask for roles and name no such function
// themselves.
//
// Names are those of profiles: "net/http.(*Transport).dialConn". What a profile of
// goroutines says of a whole stack (the side it is on, what it waits for) is the
// catalogue of package profile.
package roles

import (
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
)

// Role is what a function does for those who call it.
type Role int

// The roles.
const (
	Sync         Role = iota // waits until a file is on the disk
	Sleep                    // sleeps, or handles timers
	IO                       // reads, writes or exchanges messages
	Encode                   // encodes, hashes, compresses, formats
	Allocate                 // the allocator's entries
	Transport                // the HTTP client that keeps and opens connections
	Exchange                 // the HTTP client's connection, where an answer is waited for
	Dial                     // opens a connection of a client
	KeepIdle                 // gives a connection back to the client's idle ones
	Connect                  // the HTTP, network and TLS packages, which open connections on behalf of a caller
	Database                 // database/sql
	SingleFlight             // lets one caller make what several ask for
	Broadcast                // wakes all that wait for a condition
	Descriptor               // the lock of a file or connection
	Lock                     // the machinery of locks, below the function that takes one
	Foreign                  // what takes locks inside Go's own HTTP and network packages
	Compute                  // none of the others: a program's own work; names no function
)

// names of the functions of each role; "*" stands for any end.
var names = map[Role][]string{
	Sync: {
		"os.(*File).Sync", "internal/poll.(*FD).Fsync", "syscall.Fsync", "syscall.Fdatasync",
		"golang.org/x/sys/unix.Fsync", "golang.org/x/sys/unix.Fdatasync",
	},
	Sleep: {"time.Sleep", "time.(*Timer)*"},
	IO: append([]string{
		"os.*", "net.*", "database/sql.*", "syscall.*", "internal/poll.*", "internal/syscall/*", "io.*", "bufio.*",
		"crypto/tls.*", "google.golang.org/grpc*", "golang.org/x/net/*", "github.com/valyala/fasthttp.*", "log.*", "log/slog.*",
	}, exchanges...),
	Encode: {
		"encoding/*", "compress/*", "crypto/*", "hash/*", "html/template.*", "text/template.*",
		"fmt.*", "regexp.*", "strconv.*", "google.golang.org/protobuf*", "github.com/golang/protobuf*",
	},
	Allocate: {
		"runtime.malloc*", "runtime.makeslice*", "runtime.newobject*", "runtime.growslice*", "runtime.makemap*", "runtime.makechan*",
		"runtime.concatstring*", "runtime.slicebytetostring*", "runtime.stringtoslicebyte*", "runtime.newarray*", "runtime.convT*",
	},
	Transport:    {"net/http.(*Transport)*"},
	Exchange:     {"net/http.(*persistConn)*"},
	Dial:         {"net/http.(*Transport).dial*", "net.(*Dialer)*", "crypto/tls.(*Conn)*"},
	KeepIdle:     {"net/http.(*Transport).tryPutIdleConn*"},
	Connect:      {"net/http.*", "net.*", "crypto/tls.*"},
	Database:     {"database/sql.*"},
	SingleFlight: {"golang.org/x/sync/singleflight.*", "github.com/golang/groupcache/singleflight.*"},
	Broadcast:    {"sync.(*Cond).Broadcast"},
	Descriptor:   {"internal/poll.(*fdMutex)*"},
	Lock:         {"sync.*", "internal/sync.*", "internal/poll.*", "runtime.*"},
	Foreign:      {"net/http.*", "net.*", "internal/*"},
}

// exchanges are the functions of net/http that send or await bytes: its lists of idle
// connections and its headers are memory.
var exchanges = []string{
	"net/http.(*Client).*", "net/http.Get", "net/http.Head", "net/http.Post", "net/http.PostForm", "net/http.(*Transport).RoundTrip*",
	"net/http.(*Transport).roundTrip*", "net/http.(*Transport).dial*", "net/http.(*persistConn).*", "net/http.persistConnWriter.*",
	"net/http.(*body).*", "net/http.(*bodyEOFSignal).*", "net/http.(*Request).Write*", "net/http.(*Request).write*",
	"net/http.(*response).*", "net/http.(*conn).*", "net/http.(*connReader).*", "net/http.checkConnErrorWriter.*", "net/http.(*chunkWriter).*",
}

// Is reports whether a function has a role.
func Is(function string, r Role) bool {
	function = Canonical(function)
	return slices.ContainsFunc(names[r], func(pattern string) bool {
		prefix, open := strings.CutSuffix(pattern, "*")
		return function == pattern || open && strings.HasPrefix(function, prefix)
	})
}

// On reports whether a stack runs through a function with a role.
func On(stack []unpark.Site, r Role) bool {
	return slices.ContainsFunc(stack, func(s unpark.Site) bool { return Is(s.Function, r) })
}
