package archtest

// Unpark is the dependency policy of this repository: what each package may
// import directly, in files that are not tests.
//
// Do not widen a line to make a build pass. A new edge is a decision about how
// the parts know each other: write it down in docs/decisions first.
var Unpark = Policy{
	Module: "github.com/unpark-go/unpark",
	Packages: []Package{
		// The vocabulary: plain types and pure methods.
		{Path: ".", Std: true, Never: io},

		// The stages. They exchange types of the root and do not know each other,
		// except where data must be decoded where it is captured.
		{Path: "stats", Std: true, Never: io},
		{Path: "load", Sees: []string{".", "stats", "load/direct", "load/h1", "load/requests"}},
		{Path: "load/direct", Std: true},
		{Path: "load/h1", Std: true},
		{Path: "load/requests", Sees: []string{"."}, Never: io},
		{Path: "load/search", Sees: []string{".", "stats"}, Never: io},
		{Path: "load/selfcheck", Sees: []string{".", "load", "load/direct"}},
		{Path: "target", Sees: []string{".", "probe/agent"}},
		{Path: "profile", Sees: []string{"."}},
		{Path: "exectrace", Sees: []string{"."}},
		{Path: "window", Sees: []string{".", "load", "profile", "target"}},
		{Path: "evidence", Sees: []string{".", "stats", "profile", "exectrace"}, Never: io},
		{Path: "dump", Sees: []string{".", "profile"}, Never: io},
		{Path: "diagnose", Sees: []string{"."}, Never: io},
		{Path: "predict", Sees: []string{".", "stats"}, Never: io},
		{Path: "experiment", Sees: []string{".", "stats"}, Never: io},
		{Path: "compare", Sees: []string{".", "stats"}, Never: io},
		{Path: "check", Sees: []string{".", "stats", "compare", "internal/nearest"}, Never: io},
		{Path: "scorecard", Sees: []string{".", "stats"}, Never: io},
		{Path: "report", Sees: []string{"."}},
		{Path: "store", Sees: []string{"."}},

		// Know nothing of what they are beside.
		{Path: "internal/yardstick"},
		{Path: "internal/rota", Std: true},
		{Path: "internal/release"},

		// What a repository says of itself, and what a machine allows (decision 25).
		{Path: "project", Sees: []string{"load", "internal/nearest"}, Never: network},
		{Path: "internal/survey", Sees: []string{"project"}, Never: network},
		{Path: "internal/doctor", Sees: []string{".", "target"}, Never: network},
		{Path: "internal/nearest", Std: true, Never: io},

		// What joins them, and what sits on top.
		{Path: "investigate", Sees: all},
		{Path: "web", Sees: all},
		{Path: "cmd", Sees: all},

		// What a service imports must bring nothing with it.
		{Path: "probe", Std: true},

		// Samples and checks. Nobody imports the labs; they know the words, to say
		// what is expected of them and what came of forecasts.
		// labs/score/live looks at the machine while it runs tests (decision 20).
		{Path: "labs", Sees: []string{".", "probe", "scorecard", "target", "internal/lookup", "internal/rota"}},
		{Path: "internal/lookup", Std: true},
		{Path: "internal/archtest", Std: true},
	},
	Top: []string{"cmd", "web", "labs"},
	// pprof's types stop at one door: everybody else sees samples with inlined
	// frames expanded and values in seconds or bytes.
	Sole: map[string]string{"github.com/google/pprof/profile": "profile"},
	// Names that say where code was put and not what it is for.
	Names:    []string{"common", "util", "utils", "helper", "helpers", "manager", "types"},
	MaxLines: 450,
}

// all allows every package of the tree that is not on top.
var all = []string{"*"}

// io is what packages that only compute must not touch: their result is a
// function of their arguments, so that a verdict can be reproduced from a file.
var io = []string{"os", "net", "net/http", "syscall"}

// network is what packages that only read files must not touch.
var network = []string{"net", "net/http"}
