package main

import (
	"slices"
	"strings"
	"testing"
)

func TestSplitCommand(t *testing.T) {
	for line, want := range map[string]struct{ env, command []string }{
		`./server -addr :8080`:              {nil, []string{"./server", "-addr", ":8080"}},
		"  ./server\t-v  ":                  {nil, []string{"./server", "-v"}},
		`./server -name 'two words'`:        {nil, []string{"./server", "-name", "two words"}},
		`./server -name "two 'more' words"`: {nil, []string{"./server", "-name", "two 'more' words"}},
		`./server ''`:                       {nil, []string{"./server", ""}},
		`./server a'b'"c"d`:                 {nil, []string{"./server", "abcd"}},
		`./server a\ b \"`:                  {nil, []string{"./server", "a b", `"`}},
		`./server "\"q\" \\ \n"`:            {nil, []string{"./server", `"q" \ \n`}},
		`./server '$HOME | > x'`:            {nil, []string{"./server", "$HOME | > x"}},
		`./server "a|b"`:                    {nil, []string{"./server", "a|b"}},
		`GOGC=400 GOMEMLIMIT=1GiB ./server`: {[]string{"GOGC=400", "GOMEMLIMIT=1GiB"}, []string{"./server"}},
		`env GOGC=400 TOKEN=x ./server`:     {[]string{"GOGC=400", "TOKEN=x"}, []string{"./server"}},
		`env -i A=1 ./server`:               {nil, []string{"env", "-i", "A=1", "./server"}},
		`env`:                               {nil, []string{"env"}},
		`GODEBUG='a=1 b=2' ./server -x=1`:   {[]string{"GODEBUG=a=1 b=2"}, []string{"./server", "-x=1"}},
		`./a=b -c`:                          {nil, []string{"./a=b", "-c"}},
		`1A=2`:                              {nil, []string{"1A=2"}},
		`sh -c 'exec ./server > /tmp/x'`:    {nil, []string{"sh", "-c", "exec ./server > /tmp/x"}},
		`./服务 -名 "π ≈ 3"`:                   {nil, []string{"./服务", "-名", "π ≈ 3"}},
		`./server --flag=$'` + "x'":         {},
	} {
		env, command, err := splitCommand(line)
		if want.command == nil {
			if err == nil {
				t.Errorf("%s was split into %q", line, command)
			}
			continue
		}
		if err != nil || !slices.Equal(env, want.env) || !slices.Equal(command, want.command) {
			t.Errorf("%s: %q %q, %v; want %q %q", line, env, command, err, want.env, want.command)
		}
	}
}

func TestSplitCommandRefuses(t *testing.T) {
	for line, want := range map[string]string{
		``: "no program", `   `: "no program", `A=1`: "no program",
		`./server 'x`: "' is not closed", `./server "x`: `" is not closed`, `./server \`: "ends in a backslash",
		`./server | tee log`: "sh -c", `./server > log`: "sh -c", `./server && x`: "sh -c", `./server; x`: "sh -c",
		`./server $PORT`: "sh -c", "./server `port`": "sh -c", `./server "$PORT"`: "sh -c",
		"./server\n./other": "sh -c",
	} {
		if _, command, err := splitCommand(line); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %q, %v; want an error with %q", line, command, err, want)
		}
	}
}

func FuzzSplitCommand(f *testing.F) {
	for _, s := range []string{`./server -a "b c" 'd' \e`, `A=1 B='2' x`, `'`, `"\`, `$(x)`, ``} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		env, command, err := splitCommand(line)
		if err != nil {
			return
		}
		if len(command) == 0 {
			t.Fatalf("%q has no command and no error", line)
		}
		// Quoted again, it splits into the same words.
		var quoted []string
		for _, w := range append(slices.Clone(env), command...) {
			quoted = append(quoted, "'"+strings.ReplaceAll(w, "'", `'\''`)+"'")
		}
		again, err := splitWords(strings.Join(quoted, " "))
		if err != nil || !slices.Equal(again, append(env, command...)) {
			t.Fatalf("%q: %q, then %q, %v", line, append(env, command...), again, err)
		}
	})
}
