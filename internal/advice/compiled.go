package advice

// compiled is what is parsed, compiled or copied anew at each call where it could be kept:
// programs, queries, patterns, fonts, versions, and identifiers.
var compiled = []Advice{
	{
		ID:       "version-parse-once",
		Title:    "Parse versions and constraints once (semver.NewVersion, NewConstraint), and compare the parsed ones: each is read by regular expressions",
		Classes:  []string{"cpu", "alloc", "gc", "recompute"},
		Culprits: []string{"github.com/Masterminds/semver/v3.NewConstraint", "github.com/Masterminds/semver/v3.parseConstraint", "github.com/Masterminds/semver/v3.NewVersion", "github.com/hashicorp/go-version.NewConstraint", "github.com/hashicorp/go-version.parseSingle", "github.com/hashicorp/go-version.NewVersion", "github.com/hashicorp/go-version.newVersion"},
		When:     "They are called in the comparison of a sort, or for each item and request. StrictNewVersion of Masterminds/semver needs no regular expression.",
		Change:   []string{`c, err := semver.NewConstraint(">= 1.2") // at start`, `v, err := semver.StrictNewVersion(text)     // once per item, kept with it`, `ok := c.Check(v)`},
		Risk:     "StrictNewVersion takes full versions only.",
		Remedy:   Fewer,
		Sources:  []string{"https://github.com/Masterminds/semver/blob/v3.5.0/version.go", "https://pkg.go.dev/github.com/Masterminds/semver/v3#StrictNewVersion", "https://github.com/hashicorp/go-version/blob/v1.9.0/version.go"},
	},
	{
		ID:       "funk-typed",
		Title:    "Filter, map and search by slices.Contains, slices.IndexFunc and lo.Map (samber/lo) instead of go-funk: it works by reflection",
		Classes:  []string{"cpu", "alloc", "gc"},
		Culprits: []string{"github.com/thoas/go-funk.Filter", "github.com/thoas/go-funk.Map", "github.com/thoas/go-funk.Contains", "github.com/thoas/go-funk.Uniq", "github.com/thoas/go-funk.Find", "github.com/thoas/go-funk.IndexOf", "github.com/thoas/go-funk.ForEach", "github.com/thoas/go-funk.Reduce", "github.com/thoas/go-funk.Get", "github.com/thoas/go-funk.Keys", "github.com/thoas/go-funk.Values"},
		When:     "go-funk is in a hot loop. It has twins of fixed types, too (ContainsString, FilterInt64).",
		Change:   []string{`ok := slices.Contains(names, name)`, `active = slices.DeleteFunc(slices.Clone(all), func(i Item) bool { return !i.Active })`},
		Risk:     "None.",
		Remedy:   Cheaper,
		Sources:  []string{"https://github.com/thoas/go-funk/blob/v0.9.3/README.rst"},
	},
	{
		ID:       "gopsutil-percent",
		Title:    "Ask gopsutil's cpu.Percent with an interval of 0, or sample in the background: any other interval is slept through",
		Classes:  []string{"channel", "ratelimit", "downstream", "syscall", "io"},
		Culprits: []string{"github.com/shirou/gopsutil/v4/cpu.Percent", "github.com/shirou/gopsutil/v4/cpu.PercentWithContext", "github.com/shirou/gopsutil/v4/internal/common.Sleep"},
		When:     "A handler (health, metrics, admission) waits in Percent.",
		Change:   []string{`p, err := cpu.Percent(0, false) // since the last call`},
		Risk:     "The first call has nothing to compare with; several callers shorten each other's intervals.",
		Remedy:   Setting,
		Sources:  []string{"https://github.com/shirou/gopsutil/blob/v4.26.10/cpu/cpu.go"},
	},
}
