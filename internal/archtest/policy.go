package archtest

// Unpark is the policy of this repository: what each package may import directly, in
// files that are not tests, and how large its parts may be.
//
// Do not widen a line to make a build pass. A new edge is a decision about how
// the parts know each other: write it down in docs/decisions first.
var Unpark = Policy{
	Module: "github.com/unpark-go/unpark",
	Packages: []Package{
		// The vocabulary: plain types and pure methods.
		{Path: ".", Std: true, Never: io, Documents: 220},

		// What one window comes down to: all that rules and models see.
		{Path: "internal/facts", Sees: []string{".", "internal/facts/sampled"}, Std: true, Never: io, Documents: 24},
		{Path: "internal/facts/sampled", Sees: []string{"."}, Std: true, Never: io},
		{Path: "internal/facts/factstest", Sees: []string{".", "internal/facts", "internal/roles"}, Std: true, Never: io},

		// What measures: load, capture, and the data decoded where it is captured.
		{Path: "internal/measure/load", Sees: []string{".", "internal/stats", "internal/units", "internal/measure/load/direct", "internal/measure/load/h1", "internal/measure/load/requests"}},
		{Path: "internal/measure/load/direct", Std: true},
		{Path: "internal/measure/load/external", Sees: []string{".", "internal/measure/proc"}},
		{Path: "internal/measure/load/h1", Std: true},
		{Path: "internal/measure/load/requests", Sees: []string{"."}, Never: io},
		{Path: "internal/measure/load/search", Sees: []string{".", "internal/stats", "internal/stats/usl", "internal/units"}, Never: io},
		{Path: "internal/measure/load/selfcheck", Sees: []string{".", "internal/measure/load", "internal/measure/load/direct"}},
		{Path: "internal/measure/load/steady", Sees: []string{".", "internal/stats", "internal/units", "internal/measure/load"}},
		{Path: "internal/measure/proc", Sees: []string{"."}, Std: true},
		{Path: "internal/measure/target", Sees: []string{".", "probe/agent", "internal/measure/proc"}},
		{Path: "internal/measure/profile", Sees: []string{".", "internal/roles"}},
		{Path: "internal/measure/exectrace", Sees: []string{"."}},
		{Path: "internal/measure/inspect", Sees: []string{".", "internal/measure/proc", "internal/measure/profile", "internal/roles"}},
		{Path: "internal/measure/window", Sees: []string{".", "internal/measure/inspect", "internal/measure/load", "internal/measure/profile", "internal/measure/target"}},
		{Path: "internal/measure/dump", Sees: []string{".", "internal/units", "internal/measure/profile", "internal/roles"}, Never: io},

		// What judges. Stages exchange types of the root and do not know each other,
		// and none of them does I/O.
		{Path: "internal/judge/evidence", Sees: []string{".", "internal/facts", "internal/facts/sampled", "internal/units", "internal/roles", "internal/stats", "internal/measure/profile", "internal/measure/exectrace"}, Never: io},
		{Path: "internal/judge/owner", Sees: []string{".", "internal/facts", "internal/roles"}, Never: io},
		{Path: "internal/judge/model", Sees: []string{".", "internal/facts", "internal/roles", "internal/stats", "internal/judge/owner"}, Never: io},
		{Path: "internal/judge/diagnose", Sees: []string{".", "internal/advice", "internal/facts", "internal/roles", "internal/stats", "internal/units", "internal/judge/model", "internal/judge/owner"}, Never: io},
		{Path: "internal/judge/predict", Sees: []string{".", "internal/facts", "internal/facts/sampled", "internal/stats", "internal/units", "internal/roles", "internal/judge/model"}, Never: io},
		{Path: "internal/judge/across", Sees: []string{".", "internal/facts", "internal/units", "internal/judge/model"}, Never: io},
		{Path: "internal/judge/judgetest", Sees: []string{".", "internal/roles"}, Std: true, Never: io},
		{Path: "internal/judge/slowdown", Sees: []string{".", "internal/stats"}, Never: io},
		{Path: "internal/judge/answers", Std: true, Never: io},
		{Path: "internal/judge/bisect", Sees: []string{"internal/stats", "internal/stats/paired"}, Std: true, Never: io},
		{Path: "internal/judge/compare", Sees: []string{".", "internal/stats", "internal/stats/paired", "internal/units"}, Never: io},
		{Path: "internal/judge/functions", Sees: []string{".", "internal/measure/profile", "internal/stats", "internal/stats/paired"}, Never: io},
		{Path: "internal/judge/bench", Sees: []string{".", "internal/judge/compare", "internal/stats/paired"}, Never: io},
		{Path: "internal/judge/check", Sees: []string{".", "internal/stats", "internal/judge/compare", "internal/escape", "internal/nearest", "internal/strict", "internal/units"}, Never: io},
		{Path: "internal/judge/scorecard", Sees: []string{".", "internal/escape", "internal/stats", "internal/units"}, Never: io},

		// What is read and kept.
		{Path: "internal/report", Sees: []string{".", "internal/escape", "internal/report/look", "internal/units"}},
		{Path: "internal/report/look", Std: true},
		{Path: "internal/store", Sees: []string{"."}},
		{Path: "internal/store/bucket", Sees: []string{"internal/escape", "internal/store"}},

		// Profiles in the forms of other systems, in and out (decision 40).
		{Path: "internal/exchange", Sees: []string{".", "internal/escape", "internal/store"}},

		// A list of runs, made from their documents at any time (decision 38).
		{Path: "internal/index/notes", Sees: []string{"internal/store"}, Std: true, Never: network},
		{Path: "internal/index", Sees: []string{".", "internal/escape", "internal/judge/compare", "internal/store"}, Never: network},

		// Requests of a run's traces one by one, which no document has.
		{Path: "internal/slowest", Sees: []string{".", "internal/judge/evidence", "internal/measure/exectrace", "internal/measure/profile", "internal/store"}, Never: network},

		// The pages that only that server has.
		{Path: "internal/report/browse", Sees: []string{".", "internal/escape", "internal/report/look", "internal/slowest", "internal/units"}, Never: network},

		// What shows runs in a browser, on top of what opens and prints them (decision 38).
		{Path: "internal/web", Sees: []string{".", "internal/escape", "internal/index", "internal/index/notes", "internal/investigate", "internal/judge/compare", "internal/report", "internal/report/browse", "internal/report/look", "internal/slowest", "internal/stats/changepoint", "internal/store", "internal/units"}},

		// The catalogue: what functions of Go and of well-known modules do. Nothing else
		// names them, so that what asks about a stack imports it.
		{Path: "internal/roles", Sees: []string{"."}, Std: true, Never: io},

		// The other catalogue: what experts say of those functions, each with its source.
		{Path: "internal/advice", Sees: []string{"internal/roles"}, Std: true, Never: io},

		// What modules say of themselves in their source, which is read where they are.
		{Path: "internal/offers", Sees: []string{".", "internal/roles"}, Std: true, Never: network},

		// Numbers, and how they and names from elsewhere are printed.
		{Path: "internal/units", Sees: []string{"."}, Std: true, Never: io},
		{Path: "internal/escape", Std: true, Never: io},
		{Path: "internal/stats", Std: true, Never: io},
		{Path: "internal/stats/paired", Sees: []string{"internal/stats"}, Std: true, Never: io},
		{Path: "internal/stats/changepoint", Sees: []string{"internal/stats"}, Std: true, Never: io},
		{Path: "internal/stats/usl", Sees: []string{"internal/stats"}, Std: true, Never: io},

		// Know nothing of what they are beside.
		{Path: "internal/yardstick"},
		{Path: "internal/rota", Std: true},
		{Path: "internal/release"},
		{Path: "internal/chromium", Std: true},

		// What a repository says of itself, and what a machine allows (decision 25).
		{Path: "internal/project", Sees: []string{"internal/measure/load", "internal/nearest", "internal/strict"}, Never: network},
		{Path: "internal/survey", Sees: []string{"internal/project"}, Never: network},
		{Path: "internal/doctor", Sees: []string{".", "internal/measure/target"}, Never: network},
		{Path: "internal/nearest", Std: true, Never: io},
		{Path: "internal/strict", Sees: []string{"internal/nearest"}, Never: io},

		// Load and capture from other machines, over NATS (decision 39).
		{Path: "internal/fleet", Sees: []string{".", "internal/fleet/agent", "internal/fleet/clock", "internal/fleet/hub", "internal/fleet/wire", "internal/measure/load", "internal/units"}},
		{Path: "internal/fleet/agent", Sees: []string{".", "internal/fleet/clock", "internal/fleet/hub", "internal/fleet/wire", "internal/measure/load", "internal/measure/target", "internal/measure/window"}},
		{Path: "internal/fleet/clock", Std: true, Never: io},
		{Path: "internal/fleet/hub", Sees: []string{"internal/measure/proc"}},
		{Path: "internal/fleet/wire", Sees: []string{".", "internal/measure/load/requests"}, Std: true, Never: io, Documents: 26},

		// What joins them, and what sits on top.
		{Path: "internal/investigate", Sees: all},
		{Path: "internal/guard", Sees: []string{".", "internal/escape", "internal/investigate", "internal/measure/target", "internal/measure/window", "internal/nearest", "internal/store", "internal/units"}},
		{Path: "internal/prove", Sees: []string{".", "internal/ab", "internal/investigate", "internal/judge/answers", "internal/measure/load", "internal/measure/proc", "internal/measure/target", "internal/report", "internal/store", "internal/turns", "internal/units"}},
		{Path: "internal/mcp", Sees: []string{".", "internal/escape", "internal/investigate", "internal/measure/proc", "internal/nearest", "internal/prove", "internal/report", "internal/store"}},
		{Path: "internal/kube", Sees: []string{".", "internal/escape", "internal/kube/kubectl", "internal/kube/manifest", "internal/kube/parcel"}},
		{Path: "internal/kube/kubetest", Sees: []string{"internal/kube/parcel"}, Std: true},
		{Path: "internal/kube/kubectl", Sees: []string{"internal/escape"}, Std: true},
		{Path: "internal/kube/manifest", Never: io},
		{Path: "internal/kube/parcel", Std: true, Never: network},
		{Path: "internal/turns", Sees: []string{".", "internal/investigate", "internal/judge/compare", "internal/judge/functions", "internal/measure/target", "internal/yardstick"}},
		{Path: "internal/ab", Sees: []string{".", "internal/investigate", "internal/judge/compare", "internal/judge/functions", "internal/report", "internal/turns"}},
		{Path: "internal/bench", Sees: []string{".", "internal/judge/bench", "internal/judge/functions", "internal/measure/proc", "internal/measure/profile", "internal/measure/target", "internal/report", "internal/yardstick"}},
		{Path: "internal/bisect", Sees: []string{".", "internal/investigate", "internal/judge/bisect", "internal/judge/compare", "internal/judge/functions", "internal/measure/target", "internal/report", "internal/turns", "internal/units"}},
		{Path: "cmd", Sees: all},

		// What a service imports must bring nothing with it.
		{Path: "probe", Std: true},

		// Samples and checks. Nothing imports the labs; they know the words, to say
		// what is expected of them and what came of forecasts.
		// labs/score/live looks at the machine while it runs tests (decision 20).
		// labs/score/attach reads a process more often than any window does, to see what that costs it.
		{Path: "labs", Sees: []string{".", "probe", "internal/judge/judgetest", "internal/judge/scorecard", "internal/measure/inspect", "internal/measure/profile", "internal/measure/target", "internal/lookup", "internal/roles", "internal/rota"}},
		{Path: "internal/lookup", Std: true},
		{Path: "internal/archtest", Std: true},
	},
	Top: []string{"cmd", "labs"},
	// pprof's types stop at one door: all others see samples with inlined
	// frames expanded and values in seconds or bytes.
	Sole: map[string]string{
		"github.com/google/pprof/profile": "internal/measure/profile",
		"golang.org/x/perf/benchfmt":      "internal/bench",
		// OTLP profiles, in development, and pprof as a message, are behind one door (decision 40).
		"go.opentelemetry.io/collector/pdata/pprofile":              "internal/exchange",
		"go.opentelemetry.io/collector/pdata/pprofile/pprofileotlp": "internal/exchange",
		"github.com/grafana/pyroscope/api/gen/proto/go/google/v1":   "internal/exchange",
	},
	// Names that say where code was put and not what it is for.
	Names: []string{"common", "util", "utils", "helper", "helpers", "manager", "types"},
	// What is deep and narrow can be held in the head. A size says nothing about what
	// the parts are: it says when to look for them.
	Limits: Limits{Methods: 25, Exports: 15, FuncLines: 60, FileLines: 300, TestLines: 450},
	Known:  known,
	// What code means by a function is said in one place, and what to do about it in
	// another, each with its source; the rest of the tree asks for a role.
	// What is read from outside are the runtime's own variables, by their names.
	Catalogues: []string{"internal/roles", "internal/advice", "internal/measure/inspect", "internal/measure/inspect/image"},
	Symbols:    symbols,
}

// all allows every package of the tree that is not on top.
var all = []string{"*"}

// io is what packages that only compute must not touch: their result is a
// function of their arguments, so that a verdict can be reproduced from a file.
var io = []string{"os", "net", "net/http", "syscall"}

// network is what packages that only read files must not touch.
var network = []string{"net", "net/http"}
