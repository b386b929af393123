package report

import (
	"slices"
	"strings"
)

// aligned pads the cells of each column to one width, in place: in front for the
// columns named, else behind.
func aligned(rows [][]string, right ...int) [][]string {
	widths := map[int]int{}
	for _, row := range rows {
		for j, c := range row {
			widths[j] = max(widths[j], width(c))
		}
	}
	for _, row := range rows {
		for j, c := range row {
			blanks := strings.Repeat(" ", widths[j]-width(c))
			if slices.Contains(right, j) {
				row[j] = blanks + c
			} else {
				row[j] = c + blanks
			}
		}
	}
	return rows
}

// joined makes one cell of each row; a row of blanks is empty.
func joined(rows [][]string) []string {
	var out []string
	for _, row := range rows {
		text := strings.Join(row, " ")
		if strings.TrimSpace(text) == "" {
			text = ""
		}
		out = append(out, text)
	}
	return out
}

// apart splits a figure from its interval, which keeps its brackets.
func apart(figure string) (value, between string) {
	value, between, ok := strings.Cut(figure, " (")
	if ok {
		between = "(" + between
	}
	return value, between
}
