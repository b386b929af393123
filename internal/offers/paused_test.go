package offers

import (
	"testing"

	"github.com/unpark-go/unpark"
)

// TestPaused: how long a goroutine sleeps that requests wait for is a setting, also where the field has it by way of another; not what it does not sleep by.
func TestPaused(t *testing.T) {
	server := func(sleep string) string {
		return "// Config is one.\ntype Config struct {\n\t// CheckEvery is how long.\n\tCheckEvery time.Duration\n\t// PollDelay is how long.\n\tPollDelay time.Duration\n}\n\n" +
			"type Server struct{ checkEvery, grace time.Duration }\n\nfunc NewServer(c Config) *Server {\nevery := c.CheckEvery\nif every == 0 {\nevery = 1\n}\nreturn &Server{checkEvery: every, grace: c.PollDelay}\n}\n\n" +
			"func (s *Server) exec() {\n" + sleep + "\n}"
	}
	for _, c := range []struct{ what, sleep, want string }{
		{"by a field", "time.Sleep(s.checkEvery)", "Config.CheckEvery"},
		{"by a variable of it", "jitter := rand.N(s.checkEvery)\nselect {\ncase <-time.After(jitter):\n}", "Config.CheckEvery"},
		{"and not by what another sleeps by", "time.Sleep(s.checkEvery)\n}\n\nfunc (s *Server) drain() {\ntime.Sleep(s.grace)", "Config.CheckEvery"},
		{"by nothing that is set", "time.Sleep(10)\n_ = s.checkEvery", ""},
	} {
		r := of(t, server(c.sleep))
		f := unpark.Finding{Class: unpark.ClassChannel, Path: stack("runtime.selectgo main.main"), Behind: stack(".(*Server).exec")}
		var got string
		for _, o := range r.For([]unpark.Finding{f}) {
			if o.By == "Server.exec" || c.want != "" && o.Kind == unpark.OfferSetting {
				got += o.Name
			}
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}
