// Package advice is the catalogue of what experts say about the costs that a
// profile of a Go service shows. It is data: one entry for one change, with the
// functions that betray it, the condition under which it holds, its risk and
// where it is documented.
//
// An entry stands on the shelf of what it is about: a file whose one variable is
// named like it. What a module does decides, not which of its calls cost: a query
// that is compiled anew stands with queries, a client that is made anew with what it
// asks. Go's own packages are on the shelves std_*, but for those that many modules do
// the same as (JSON, XML, CSV, images, compression, hashes, keys, TLS, logs).
// Within a shelf the entries of a module stand together. A new shelf is listed in shelves, below.
package advice

import (
	"slices"
	"strings"

	"github.com/unpark-go/unpark/internal/roles"
)

// Remedy names the forecast that belongs to a change.
type Remedy string

// The remedies.
const (
	Cheaper  Remedy = "cheaper"  // the function costs less each time
	Fewer    Remedy = "fewer"    // the call is made less often: reuse, cache, hoist
	Once     Remedy = "once"     // the call is made once, whatever requests bring, and what it makes is kept: none of it is left in them
	Together Remedy = "together" // many calls for something outside become one
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

// Needless reports whether a remedy is that calls are made less often, or not at all.
func (r Remedy) Needless() bool { return r == Fewer || r == Once || r == Together }

// Spares are the functions that requests call no more when advice to make something once is followed; of advice to keep something
// those that make it, by their names: what else that names goes on being called.
func (a Advice) Spares() []string {
	if a.Remedy != Fewer && a.Remedy != Once {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(a.Culprits), func(of string) bool {
		return strings.HasSuffix(of, "*") || a.Remedy == Fewer && !roles.Is(of, roles.Lasts)
	})
}

// ofGo reports whether advice names nothing but functions of Go itself.
func (a Advice) ofGo() bool {
	return !slices.ContainsFunc(a.Culprits, func(of string) bool { return !roles.Is(of, roles.Standard) && of != Collector })
}

// Folders and documents that several sources have in common.
const (
	goSrc         = "https://github.com/golang/go/blob/release-branch.go1.26/src/"
	goDoc         = "https://go.dev/doc/"
	xCrypto       = "https://pkg.go.dev/golang.org/x/crypto@v0.58.0/"
	xSync         = "https://pkg.go.dev/golang.org/x/sync@v0.24.0/"
	grpcGo        = "https://github.com/grpc/grpc-go/blob/v1.85.0/"
	sqliteWAL     = "https://www.sqlite.org/docsrc/artifact/c7f3815e48f23b4a"
	sqliteIndexes = "https://www.sqlite.org/docsrc/artifact/b9e97368fb4616dd"
)

// All returns every entry, in the order of the shelves.
func All() []Advice { return slices.Concat(shelves...) }

// shelves is the catalogue. What is equally near to a cost is told in this order, and of one shelf in the order in which it
// stands there (TestTies).
var shelves = [][]Advice{
	// What Go itself has.
	stdText,
	stdEncoding,
	stdIO,
	stdCollections,
	stdMath,
	stdTime,
	stdSync,
	stdReflect,
	stdNet,
	stdHTTPServer,
	stdHTTPClient,
	// The runtime.
	runtimeSettings,
	runtimeCosts,
	// Servers and clients.
	webFrameworks,
	webFasthttp,
	webMiddleware,
	webClients,
	webProxies,
	webSockets,
	webScraping,
	graphql,
	grpc,
	rpc,
	transports,
	dnsAddresses,
	sshFTP,
	mail,
	identity,
	identityTokens,
	permissions,
	// SQL.
	sqlPools,
	sqlPostgres,
	sqlDrivers,
	sqlWarehouses,
	sqlSQLite,
	sqlBuilders,
	sqlORM,
	// Stores.
	storesMongo,
	storesDocuments,
	storesDistributed,
	storesCluster,
	storesSearch,
	storesVectors,
	storesSeries,
	storesObjects,
	redisGoredis,
	redisOthers,
	embeddedTrees,
	embeddedBadger,
	embeddedLSM,
	embeddedObjects,
	caches,
	// Clouds.
	cloudAWSData,
	cloudAWSServices,
	cloudGCP,
	cloudAzure,
	cloudOthers,
	// Messages and work.
	queueKafka,
	queueKafkaSarama,
	queueNATS,
	queueAMQP,
	queueOthers,
	mqttDevices,
	jobs,
	workflows,
	limiters,
	concurrency,
	// Formats.
	jsonDocuments,
	jsonLibraries,
	xmlHTML,
	csvSheets,
	pdf,
	images,
	media,
	drawing,
	compression,
	archives,
	binaryCodecs,
	protobuf,
	hashesIDs,
	cryptoKeys,
	tlsCertificates,
	secrets,
	// Settings and telemetry.
	config,
	featureFlags,
	logging,
	loggingZapZerolog,
	loggingLibraries,
	metrics,
	tracing,
	errorReports,
	// Computing.
	collections,
	collectionsOrdered,
	geo,
	maths,
	ai,
	textSearch,
	textPatterns,
	textUnicode,
	language,
	templates,
	markdownDiff,
	parsers,
	parsedValues,
	expressions,
	scripting,
	validation,
	mapping,
	// Machines and services.
	containers,
	kubernetes,
	host,
	files,
	versionControl,
	blockchainP2P,
	servicesAPIs,
}
