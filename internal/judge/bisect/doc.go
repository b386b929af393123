// Package bisect searches the commit that changed a metric, by rounds of measurement that scatter: a posterior
// over the commits, each round of the commit that tells most (Castro and Nowak, "Minimax Bounds for Active Learning",
// 2008, section on probabilistic bisection; Waeber, Frazier and Henderson, 2013).
//
// It computes and measures nothing: [Differ] says whether the two ends differ at all, [New] begins a search, and
// Next and Observe go on with it.
package bisect
