package main

import (
	"errors"
	"fmt"
	"strings"
)

// splitCommand splits a command line as a POSIX shell does: at blanks; single
// quotes keep everything, double quotes all but \" and \\, a backslash the next
// character. Leading NAME=value words are environment, also behind the word env: as
// words of the command their values would be in documents. What only a shell could carry
// out (pipes, redirections, variables) is refused: it would reach the program as
// text.
func splitCommand(line string) (env, command []string, err error) {
	words, err := splitWords(line)
	if err != nil {
		return nil, nil, err
	}
	if len(words) > 1 && words[0] == "env" && assignment(words[1]) {
		words = words[1:]
	}
	for len(words) > 0 && assignment(words[0]) {
		env, words = append(env, words[0]), words[1:]
	}
	if len(words) == 0 {
		return nil, nil, errors.New("there is no program in it")
	}
	return env, words, nil
}

// assignment reports whether a word is NAME=value.
func assignment(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	if !ok || name == "" || name[0] >= '0' && name[0] <= '9' {
		return false
	}
	return strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == ""
}

// splitter is the state in the middle of a line.
type splitter struct {
	words []string
	word  strings.Builder
	open  bool // a word has begun, though it may be empty: ''
	quote rune // that is open; 0 for none
	slash bool // the last character was a backslash
}

func splitWords(line string) ([]string, error) {
	var s splitter
	for _, r := range line {
		if err := s.take(r); err != nil {
			return nil, err
		}
	}
	switch {
	case s.quote != 0:
		return nil, fmt.Errorf("the quote %c is not closed", s.quote)
	case s.slash:
		return nil, errors.New("it ends in a backslash")
	}
	s.end()
	return s.words, nil
}

func (s *splitter) take(r rune) error {
	switch {
	case s.slash:
		if s.quote == '"' && r != '"' && r != '\\' && r != '$' && r != '`' {
			s.word.WriteRune('\\')
		}
		s.add(r)
		s.slash = false
	case r == '\\' && s.quote != '\'':
		s.slash, s.open = true, true
	case s.quote == r:
		s.quote = 0
	case s.quote == '\'':
		s.add(r)
	case strings.ContainsRune("$`", r):
		return fmt.Errorf("%q is for a shell, and none is started: write it in single quotes if it is meant, or start one: sh -c '…'", r)
	case s.quote != 0:
		s.add(r)
	case r == '\'' || r == '"':
		s.quote, s.open = r, true
	case strings.ContainsRune("|&;<>()\n", r):
		return fmt.Errorf("%q is for a shell, and none is started: write it in quotes if it is meant, or start one: sh -c '…'", r)
	case r == ' ' || r == '\t':
		s.end()
	default:
		s.add(r)
	}
	return nil
}

func (s *splitter) add(r rune) {
	s.word.WriteRune(r)
	s.open = true
}

// end completes a word.
func (s *splitter) end() {
	if s.open {
		s.words = append(s.words, s.word.String())
	}
	s.word.Reset()
	s.open = false
}
