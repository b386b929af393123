package report

import "github.com/unpark-go/unpark"

func tables() []unpark.Table {
	get := unpark.Site{Function: "example.com/shop/lookup/internal/cache.(*Cache).Get", File: "/src/lookup/internal/cache/cache.go", Line: 41}
	memmove := unpark.Site{Function: "runtime.memmove", File: "/go/src/runtime/memmove_amd64.s", Line: 12345}
	return []unpark.Table{{
		Kind: unpark.KindCPU, Title: "CPU by function of the application, with what it calls", Unit: "cores", Seconds: num(30), Total: num(1.2), Events: 3600,
		Rows: []unpark.TableRow{{Site: get, Value: 0.9, Cum: num(1.1), Share: 0.75}},
	}, {
		Kind: unpark.KindCPU, Title: "CPU by function, flat", Unit: "cores", Seconds: num(30), Total: num(1.2), Events: 3600, Flat: true,
		Rows: []unpark.TableRow{{Site: memmove, Value: 0.3, Cum: num(0.3), Share: 0.25}},
	}, {
		Kind: unpark.KindBlock, Title: "Waits for locks, by who waits for whom", Unit: "waiters", Seconds: num(30), Total: num(7.8), Events: 12345,
		Rows: []unpark.TableRow{{Site: get, Value: 7.8, Share: 1, Class: unpark.WaitLock, Holder: &unpark.Site{Function: get.Function, File: get.File, Line: 58}, Events: num(12345)}},
		Note: "3 waiters more are workers and connections that wait for work",
	}, {
		Kind: unpark.KindAllocs, Title: "Allocations, by line of the application", Unit: "B", Total: num(5.1e9), Events: 88000,
		Rows: []unpark.TableRow{{Site: get, Value: 4.2e9, Share: 0.82, Events: num(80000)}},
	}, {
		Kind: unpark.KindGoroutine, Title: "Goroutines, by where they are", Unit: "goroutines", Total: num(544), Events: 1,
		Rows: []unpark.TableRow{{Site: get, Value: 500, Share: 0.92, Class: unpark.WaitUnknown}},
	}}
}
