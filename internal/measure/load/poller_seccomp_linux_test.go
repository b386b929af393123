package load

import (
	"runtime"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/unpark-go/unpark"
)

// refuse has the kernel answer a system call of this thread, and of no other, with an
// errno, as the filter of a container does.
func refuse(call uint32, errno unix.Errno) error {
	program := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS}, // seccomp_data.nr
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jf: 1, K: call},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ERRNO | uint32(errno)},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW},
	}
	filter := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	err := unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&filter)), 0, 0)
	runtime.KeepAlive(program)
	return err
}

// TestPollRefused: whatever refuses epoll_pwait2, the poller goes on with the call
// that every kernel has; an interruption is no refusal.
func TestPollRefused(t *testing.T) {
	for errno, coarse := range map[unix.Errno]bool{
		unix.ENOSYS: true, unix.EPERM: true, unix.EACCES: true, unix.EINVAL: true, unix.EINTR: false,
	} {
		t.Run(errno.Error(), func(t *testing.T) {
			p := idlePoller(t)
			p.ep.halt() // an event that lies ready
			var events, again int
			var err error
			done := make(chan struct{})
			go func() {
				defer close(done)
				runtime.LockOSThread() // never undone: the thread and its filter end here
				if err = refuse(unix.SYS_EPOLL_PWAIT2, errno); err != nil {
					return
				}
				events, again = len(p.ep.poll(int64(time.Minute))), len(p.ep.poll(int64(time.Minute)))
			}()
			<-done
			if err != nil {
				t.Skipf("this sandbox allows no seccomp filter: %v", err)
			}
			if p.ep.coarse != coarse || events != 0 || (again == 1) != coarse {
				t.Errorf("coarse %v, %d and %d events; want coarse %v, and the event at the second call if so", p.ep.coarse, events, again, coarse)
			}
		})
	}
}

// TestPollTimeout: the kernel reads seconds and nanoseconds of 64 bits each on every
// architecture; with less the timeout would be minutes, or refused.
func TestPollTimeout(t *testing.T) {
	p := idlePoller(t)
	if unsafe.Sizeof(p.ep.spec) != 16 || unsafe.Offsetof(p.ep.spec.nsec) != 8 {
		t.Errorf("%d bytes, nanoseconds at %d", unsafe.Sizeof(p.ep.spec), unsafe.Offsetof(p.ep.spec.nsec))
	}
	if n := len(p.ep.poll(int64(time.Millisecond))); n != 0 {
		t.Errorf("%d events of nothing", n)
	}
	if p.ep.spec != (kernelTimespec{nsec: 1e6}) {
		t.Errorf("%+v", p.ep.spec)
	}
}

func idlePoller(t *testing.T) *poller {
	t.Helper()
	s, err := newSettings(closed(1, unpark.Request{URL: "http://127.0.0.1:1/"}))
	if err != nil {
		t.Fatal(err)
	}
	p, err := newPoller(&Generator{settings: s, clock: &clock{base: time.Now()}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.release)
	return p
}
