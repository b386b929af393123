package archtest

import "fmt"

// Excess is one part that is larger than its limit, and the number that it has: a
// type with its methods, a package with its exported names, a function or a file
// with its lines. It has that number exactly, so that the table of them can only
// shrink.
type Excess struct {
	Type    string // folder.name
	Methods int
	Package string // folder
	Exports int
	Func    string // folder.name, or folder.type.name of a method
	File    string
	Lines   int // of Func or File
}

// table is where an excess is written down, and a symbol.
const table = "internal/archtest/known.go"

// part returns which part is meant, without its number.
func (e Excess) part() Excess {
	e.Methods, e.Exports, e.Lines = 0, 0, 0
	return e
}

// number returns how large the part is, and in what it is counted.
func (e Excess) number() (n int, unit string) {
	switch {
	case e.Type != "":
		return e.Methods, "methods"
	case e.Package != "":
		return e.Exports, "exported names"
	}
	return e.Lines, "lines"
}

// name returns what the part is called in a sentence.
func (e Excess) name() string {
	switch {
	case e.Type != "":
		return "type " + e.Type
	case e.Package != "":
		return "package " + e.Package
	case e.Func != "":
		return "func " + e.Func
	}
	return "file " + e.File
}

// cure says what makes such a part smaller.
func (e Excess) cure() string {
	switch {
	case e.Type != "":
		return "it is several types: split it by what the parts are for, each with its own state"
	case e.Package != "":
		return "unexport what only the package uses, and split the rest by what the parts are for"
	case e.Func != "":
		return "split it by what its steps are for"
	}
	return "split it by what the parts are for"
}

// judge compares what was counted with the limits, and with the table of what is
// known to be over them.
func (s *sizes) judge(known []Excess) []Violation {
	out := s.out
	listed := map[Excess]int{}
	for _, k := range known {
		n, _ := k.number()
		listed[k.part()] = n
	}
	for _, z := range s.list {
		of := z.part.part()
		if what := z.judge(listed[of]); what != "" {
			z.at.What = what
			out = append(out, z.at)
		}
		delete(listed, of)
	}
	for _, k := range known {
		if _, left := listed[k.part()]; left {
			out = append(out, Violation{File: table, What: k.name() + " is gone: take its line out of the table"})
		}
	}
	return out
}

// judge says what is wrong with a size, or ""; known is its number in the table, 0
// when it is not there.
func (z size) judge(known int) string {
	n, unit := z.part.number()
	of := z.part.name()
	if z.part.File != "" {
		of = "the file" // which is where the violation is
	}
	has := fmt.Sprintf("%s has %d %s", of, n, unit)
	switch {
	case known == 0 && n > z.limit:
		return fmt.Sprintf("%s, more than %d: %s", has, z.limit, z.part.cure())
	case n > known && known > 0:
		return fmt.Sprintf("%s, more than the %d in %s, where numbers only fall: %s", has, known, table, z.part.cure())
	case known > 0 && n <= z.limit:
		return fmt.Sprintf("%s, within the limit of %d: take its line out of %s", has, z.limit, table)
	case n < known:
		return fmt.Sprintf("%s, fewer than the %d in %s: write %d there", has, known, table, n)
	}
	return ""
}
