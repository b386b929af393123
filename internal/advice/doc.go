// Package advice is the catalogue of what experts say about the costs that a
// profile of a Go service shows. It is data: one entry for one change, with the
// functions that betray it, the condition under which it holds, its risk and
// where it is documented.
package advice

import (
	"slices"

	"github.com/unpark-go/unpark/internal/roles"
)

// Remedy names the forecast that belongs to a change.
type Remedy string

// The remedies.
const (
	Cheaper  Remedy = "cheaper"  // the function costs less each time
	Fewer    Remedy = "fewer"    // the call is not made per request: reuse, cache, hoist, batch
	Unshared Remedy = "unshared" // the lock is split, replaced or taken by readers together
	Moved    Remedy = "moved"    // the work leaves the lock or the request's path
	Wider    Remedy = "wider"    // more places in the pool or semaphore
	Kept     Remedy = "kept"     // more connections kept while none needs them
	Upgrade  Remedy = "upgrade"  // fixed in a later version
	Setting  Remedy = "setting"  // a setting of the runtime or of a library
	Intended Remedy = "intended" // slow on purpose: what to do if it must scale
)

// Advice is one thing that an expert would say of a cost.
type Advice struct {
	ID       string   // kebab-case, unique
	Title    string   // imperative, names the thing
	Classes  []string // findings that it belongs to
	Culprits []string // functions as pprof prints them; a trailing * matches the rest of the name
	Under    []string // optional: one of these must be on the same stack, too
	Unless   []string // optional: where one of these is on the stack it does not apply, or is followed already
	When     string   // when it applies and how to check that it does
	Before   string   // optional: the Go version, or "module version", before which alone it applies
	Change   []string // code lines in Go, or a setting
	Risk     string   // what can go wrong
	Remedy   Remedy   // which forecast belongs to it
	Sources  []string // where it is documented
}

// Names reports whether advice is about a function.
func (a Advice) Names(function string) bool {
	symbol := roles.Symbol(function)
	return slices.ContainsFunc(a.Culprits, func(of string) bool { return fits(roles.Symbol(of), symbol) })
}

// ofGo reports whether advice names nothing but functions of Go itself.
func (a Advice) ofGo() bool {
	return !slices.ContainsFunc(a.Culprits, func(of string) bool { return !roles.Is(of, roles.Standard) && of != Collector })
}

// Folders that many sources have in common.
const (
	goSrc = "https://github.com/golang/go/blob/release-branch.go1.26/src/"
	goDoc = "https://go.dev/doc/"
)

// All returns every entry, by area.
func All() []Advice {
	var all []Advice
	for _, area := range Areas() {
		all = append(all, area.Entries...)
	}
	return all
}

// Area is one file's or one subject's share of the catalogue.
type Area struct {
	Name    string
	Entries []Advice
}

// Areas returns the catalogue by subject.
func Areas() []Area {
	return []Area{
		{"std", slices.Concat(callsInstead, stdText, stdFiles, stdCalls, stdNet, stdMore, stdCosts, stdFilesKept, stdComputed, stdPrepared, wideStd)},
		{"runtime", slices.Concat(runtimeSettings, runtimeShared, runtimeMore)},
		{"http", slices.Concat(httpClient, httpServer, webServers, webClients, webAPIs, webSettings, httpTransport, extraWeb)},
		{"sql", slices.Concat(sqlPools, sqlDrivers, sqlClients, sqlORM, sqlSQLite)},
		{"stores", slices.Concat(storesEmbedded, storesTrees, storesLSM, storesCluster, storesRemote, storesRedis, storesDocuments, storesCloud, storesAWS, storesServices, storesDatabases, moreStores, extraStores, wideStores)},
		{"encoding", slices.Concat(encodingJSON, encodingOther, encodingCompress, encodingBinary, encodingText, encodingCodecs, wideFormats)},
		{"grpc", grpcEntries},
		{"protocols", protocols},
		{"logging", slices.Concat(loggingEntries, loggingMore)},
		{"metrics", slices.Concat(metricsEntries, telemetry, telemetryAgents, moreTelemetry)},
		{"caches", slices.Concat(cachesEntries, cachesLocal)},
		{"queues", slices.Concat(queuesMessages, queuesKafka, queuesBrokers, queuesJobs, queuesLimits, queuesSettings, extraQueues, wideFlow)},
		{"crypto", slices.Concat(cryptoEntries, cryptoKeys)},
		{"net", netSettings},
		{"text", slices.Concat(textTemplates, textLanguage, extraSearch)},
		{"rules", slices.Concat(rulesScripts, rulesQueries, wideRules)},
		{"documents", slices.Concat(documents, documentsMore, moreCompute, extraCompute)},
		{"structures", slices.Concat(structures, dataServed)},
		{"mapping", mapping},
		{"jobs", jobs},
		{"kubernetes", kubernetes},
		{"graphql", graphql},
		{"lookups", slices.Concat(lookups, treesFiles)},
		{"once", slices.Concat(onceEntries, compiled, onceMore, onceTools, extraOnce, extraGo, widePages, wideLookup)},
		{"clients", slices.Concat(clients, servicesAPIs, settingsSlow, moreClients, waitsServices, servedMore, extraServices, extraClouds, extraSettings, wideIdentity, wideFlags, wideCalls)},
		{"host", slices.Concat(host, servedHost, extraHosts, wideHosts)},
		{"reflective", reflective},
	}
}
