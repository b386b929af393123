// Package changepoint finds where a series of measurements changed, and by how much: E-divisive means
// (Matteson and James, "A Nonparametric Approach for Multiple Change Point Analysis of Multivariate Data", 2014,
// arXiv:1306.4933), for a series of numbers, with its test by permutations.
//
// Nothing is assumed of the noise but that runs between two changes could have come in any order. A slow drift is
// therefore told as some steps. The package keeps no state, and equal series have equal answers.
package changepoint
