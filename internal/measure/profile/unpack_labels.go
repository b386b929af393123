package profile

import pprof "github.com/google/pprof/profile"

// labelled is one label of a sample, by the numbers of its strings.
type labelled struct{ key, text, number, unit uint64 }

func (l *labelled) read(f field) error {
	return f.message(func(f field) error {
		if f.number <= 4 && f.kind != varint {
			return errType
		}
		switch f.number {
		case 1:
			l.key = f.value
		case 2:
			l.text = f.value
		case 3:
			l.number = f.value
		case 4:
			l.unit = f.value
		}
		return nil
	})
}

// label puts labels into a sample: several values of one key are a list, and every number of a key with units has a unit.
func (u *unpacker) label(s *pprof.Sample, all []labelled) error {
	texts, numbers, units := map[string][]string{}, map[string][]int64{}, map[string][]string{}
	for _, l := range all {
		key, err := u.forever(l.key)
		if err != nil {
			return err
		}
		switch {
		case l.text != 0:
			v, err := u.forever(l.text)
			if err != nil {
				return err
			}
			texts[key] = append(texts[key], v)
		case l.number != 0 || l.unit != 0:
			if l.unit != 0 {
				v, err := u.forever(l.unit)
				if err != nil {
					return err
				}
				units[key] = append(padded(units[key], len(numbers[key])), v)
			}
			numbers[key] = append(numbers[key], int64(l.number))
		}
	}
	for key, some := range units {
		units[key] = padded(some, len(numbers[key]))
	}
	if len(texts) > 0 {
		s.Label = texts
	}
	if len(numbers) > 0 {
		s.NumLabel, s.NumUnit = numbers, units
	}
	return nil
}

// padded adds empty strings until there are n.
func padded(all []string, n int) []string {
	for len(all) < n {
		all = append(all, "")
	}
	return all
}
