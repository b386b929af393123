// Package offers reads in the source of modules what they have for their users at the place of a
// cost: the settings that the code there reads, and the calls beside the one that the service makes
// which do many at once, or keep what the other makes anew; what is made for each request though its documentation
// says that it may be kept, parameters that take what an earlier call gave, and settings that the number of goroutines which serve requests comes from (workers).
//
// The catalogue (package advice) knows what experts say of well-known functions. Of all others
// their own source, in the version that the service is built with, says more than a class of
// findings can: a wait in (*Stream).Read of yamux is for a window, and Config.MaxStreamWindowSize is
// read by what it calls. Nothing is typechecked: fields, variables and methods are told by their
// names within one package, so what is offered is a place to look at, and is said as one.
//
// Of the user's own source it is read, where that is on this machine, what the functions on a finding's stack make
// for each request, of types that keep something between calls (anew), loops in which they wait (eachOf), calls of which they use a part (partly),
// and what they make of all that there is (rebuilt).
//
// It reads files of modules, in the module cache or where the build had them, the user's own packages on a stack, and nothing else.
package offers
