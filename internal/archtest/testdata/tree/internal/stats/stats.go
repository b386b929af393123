package stats

import _ "golang.org/x/perf/benchmath"
