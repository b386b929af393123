// Package web serves the runs of a folder to a browser on this machine (unpark ui, decision 38). Begin at [Server.Serve].
//
//  1. guard.go lets in what asks this server by its own name and holds the key that was in the address it printed.
//  2. watch.go keeps the index up to date while a page is open, and rings when something changed.
//  3. list.go and series.go answer the first page: rows, and series with their change points. Its scripts are in assets.
//  4. pages.go shows one run, two, several, or an experiment: by the templates of package report, which has the figures and sentences.
//  5. live.go follows a run that is under way; take.go makes a run of profiles that a page sends.
//
// It writes nothing but notes and what is imported, through the packages that own these.
package web
