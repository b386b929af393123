package web

import (
	"strings"
	"testing"
)

func TestPages(t *testing.T) {
	s := serve(t, shop(t))
	for _, tt := range []struct {
		path   string
		status int
		says   string
	}{
		{"/", 200, "home.js"},
		{"/run/run-03", 200, `href="/compare?run=run-02&amp;run=run-03"`},
		{"/run/run-03", 200, "<h1"},
		{"/run/proof/before", 200, "/experiment/proof"},
		{"/run/newer", 422, "newer one"},
		{"/run/nothing", 404, "removed or renamed"},
		{"/run/../../etc/passwd", 404, ""},
		{"/run/proof", 404, "folder of an experiment"},
		{"/experiment/proof", 200, "t waits less"},
		{"/experiment/run-03", 404, "is a run"},
		{"/compare?run=run-03&run=run-20", 200, "proof in rounds: proof"},
		{"/compare?run=run-03&run=run-20&run=run-21", 200, "-word"},
		{"/compare?run=run-03", 400, "choose 2 to 8"},
		{"/compare?run=run-03&run=nothing", 404, "removed or renamed"},
		{"/compare?run=run-03&run=proof", 400, "a comparison of its own"},
		{"/nothing", 404, "begin at the list"},
		{"/assets/home.js", 200, "import"},
		{"/assets/base.js", 200, "export"},
		{"/assets/report.css", 200, ":root"},
		{"/assets/error.html.tmpl", 404, ""},
	} {
		status, text := s.get(t, tt.path)
		if status != tt.status || !strings.Contains(text, tt.says) {
			t.Errorf("%s: %d, want %d and %q in\n%.600s", tt.path, status, tt.status, tt.says, text)
		}
		if strings.Contains(text, "<img") || strings.Contains(text, "owned'</script>") {
			t.Errorf("%s: a name came through", tt.path)
		}
	}
}
