package investigate

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/exchange"
	"github.com/unpark-go/unpark/internal/measure/profile"
)

// Received reaches a verdict on profiles that another system sent, as [Diagnose] does on files. Of the configuration, Version and Own count.
func (c Config) Received(s exchange.Set) (Outcome, error) {
	if err := CheckOwn(c.Own); err != nil {
		return Outcome{}, err
	}
	g := gather{own: c.Own, profiles: map[unpark.Kind][]*profile.Profile{}, lost: map[unpark.Kind]int{}}
	g.received(s)
	if len(g.profiles) == 0 {
		return Outcome{}, fmt.Errorf("diagnose profiles of %s: %w: %s", s.Service, errNothing, g.firstProblem())
	}
	return Outcome{Run: g.run(c.Version), sent: g.sent}, nil
}

// received adds what another system sent.
func (g *gather) received(s exchange.Set) {
	g.end = s.End
	g.notes = append(g.notes, s.Notes...)
	for _, p := range s.Profiles {
		name := fmt.Sprintf("received-%02d/%s", len(g.sent)+1, filepath.Base(p.Name))
		if g.sent == nil {
			g.sent = map[string][]byte{}
		}
		g.sent[filepath.FromSlash(name)] = p.Data
		g.take("", name, p.Kind, p.Data)
	}
}

// take adds one pprof profile of a folder, subtracting the reading beside it that was taken first. Without a kind, its contents and its
// name tell that.
func (g *gather) take(folder, name string, kind unpark.Kind, b []byte) {
	path := filepath.Join(folder, filepath.FromSlash(name))
	if kind == "" {
		var err error
		if kind, err = profile.Detect(bytes.NewReader(b)); err != nil {
			g.problem(path, err)
			return
		}
		kind = byName(path, kind)
	}
	p, err := profile.Decode(bytes.NewReader(b), kind, filepath.Base(path))
	if err != nil {
		g.lost[kind]++
		g.problem(path, err)
		return
	}
	base := strings.TrimSuffix(name, ".pb.gz") + ".base.pb.gz"
	if first, err := decodeFile(folder, base, kind); err == nil {
		p = p.Sub(first)
	} else if kind.Reading() == unpark.Cumulative && p.Duration() == 0 {
		g.notes = append(g.notes, unpark.Notice{
			Code:    "since-start",
			Message: fmt.Sprintf("%s counts since the process started, over an unknown time: its shares can be used, its rates cannot", filepath.Base(path)),
			Cure:    "capture a window: unpark capture, or ?seconds=15 on the endpoint",
		})
	}
	g.profiles[kind] = append(g.profiles[kind], p)
	g.files = append(g.files, unpark.ProfileFile{Kind: kind, File: path, State: unpark.Present})
}

// byName lets a file's name decide where the contents cannot: block and mutex
// profiles have the same sample types.
func byName(path string, kind unpark.Kind) unpark.Kind {
	name := strings.ToLower(filepath.Base(path))
	if kind.Rated() {
		for _, k := range []unpark.Kind{unpark.KindBlock, unpark.KindMutex} {
			if strings.Contains(name, string(k)) {
				return k
			}
		}
	}
	return kind
}

// Unkept is a diagnosis that is only printed: it names no directory, and no file that is nowhere.
func (o Outcome) Unkept() Outcome {
	o.Dir = ""
	o.Run.Windows = slices.Clone(o.Run.Windows)
	for i := range o.Run.Windows {
		w := &o.Run.Windows[i]
		w.Profiles = slices.Clone(w.Profiles)
		for j, p := range w.Profiles {
			if _, sent := o.sent[p.File]; sent {
				w.Profiles[j].File = ""
			}
		}
	}
	return o
}
