// Package nearest says which known word an unknown one was probably meant to be.
package nearest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

const longest = 40 // a word beyond it is no misspelling

// First returns the known words with those first that an unknown one is most like: few letters differ, or it is how they begin.
func First(word string, known []string) []string {
	out := slices.Clone(known)
	if len(word) > longest {
		return out
	}
	apart := func(k string) int {
		same := 0
		for same < min(len(k), len(word)) && k[same] == word[same] {
			same++
		}
		return distance(word, k) - same
	}
	slices.SortStableFunc(out, func(a, b string) int { return cmp.Compare(apart(a), apart(b)) })
	return out
}

// Suggestion names the known words that an unknown one was probably meant to be, as
// the end of a sentence; "" when none is near.
func Suggestion(word string, known []string) string {
	if len(word) > longest {
		return ""
	}
	var best []string
	least := max(min(2, len(word)-2), len(word)/2) // of three letters one, so that two are right
	for _, k := range known {
		switch d := distance(word, k); {
		case d < least:
			best, least = []string{fmt.Sprintf("%q", k)}, d
		case d == least:
			best = append(best, fmt.Sprintf("%q", k))
		}
	}
	if len(best) == 0 || len(best) > 4 {
		return ""
	}
	return ": did you mean " + strings.Join(best, " or ") + "?"
}

// distance counts the letters to insert, remove, replace or swap with their
// neighbour to turn a into b (restricted Damerau–Levenshtein).
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	rows := make([][]int, len(x)+1)
	for i := range rows {
		rows[i] = make([]int, len(y)+1)
		rows[i][0] = i
	}
	for j := range y {
		rows[0][j+1] = j + 1
	}
	for i := range x {
		for j := range y {
			cost := 1
			if x[i] == y[j] {
				cost = 0
			}
			d := min(rows[i][j+1]+1, rows[i+1][j]+1, rows[i][j]+cost)
			if i > 0 && j > 0 && x[i] == y[j-1] && x[i-1] == y[j] {
				d = min(d, rows[i-1][j-1]+1)
			}
			rows[i+1][j+1] = d
		}
	}
	return rows[len(x)][len(y)]
}
