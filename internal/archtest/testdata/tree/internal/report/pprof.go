package report

import _ "github.com/google/pprof/profile"
