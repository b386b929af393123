package report

import (
	"math"
	"testing"

	"github.com/unpark-go/unpark"
)

func TestFigure(t *testing.T) {
	for _, test := range []struct {
		v    float64
		unit string
		want string
	}{
		{0, "s", "0 s"},
		{1e-9, "s", "1.00 ns"},
		{999.4e-9, "s", "999 ns"},
		{999.6e-9, "s", "1.00 µs"},
		{0.0921, "s", "92.1 ms"},
		{0.99996, "s", "1.00 s"},
		{1, "s", "1.00 s"},
		{4321, "s", "4,321 s"},
		{-0.0021, "s", "-2.10 ms"},
		{41e-6, "s/req", "41.0 µs/req"},
		{0, "B", "0 B"},
		{999, "B", "999 B"},
		{34816, "B/req", "34.8 kB/req"},
		{8.2e9, "B", "8.20 GB"},
		{1.5e6, "B/s", "1.50 MB/s"},
		{428, "req/s", "428 req/s"},
		{70312, "req/s", "70.3k req/s"},
		{1.2e6, "req/s", "1.20M req/s"},
		{0, "cores", "0 cores"},
		{0.004, "cores", "0.004 cores"},
		{0.9269, "cores", "0.93 cores"},
		{1.5, "cores", "1.50 cores"},
		{7, "count", "7"},
		{9999, "count", "9999"},
		{12345, "count", "12.3k"},
		{7.81, "count", "7.81"},
		{0.947, "ratio", "94.7 %"},
		{0.00001, "ratio", "<0.01 %"},
		{0.0042, "ratio", "0.42 %"},
		{1, "ratio", "100 %"},
		{0.9996, "ratio", "100 %"},
		{3, "widgets", "3.00 widgets"},
		{1e300, "s", "1e+300 s"},
		{math.NaN(), "s", "~"},
		{math.Inf(1), "B", "~"},
	} {
		if got := figure(test.v, test.unit); got != test.want {
			t.Errorf("figure(%v, %q) = %q, want %q", test.v, test.unit, got, test.want)
		}
	}
}

func TestQuantity(t *testing.T) {
	for _, test := range []struct {
		q                 unpark.Quantity
		want, ratio, grow string
	}{
		{unpark.Quantity{}, "~", "~", "~"},
		{unpark.Measured(0.0921, "s", 1), "92.1 ms", "×0.092", "×0.0921"},
		{unpark.Between(0.0138, 0.00737, 0.0322, "s", 9), "13.8 ms (7.37–32.2)", "×0.014 (0.0074–0.032)", "×0.0138 (×0.00737 to ×0.0322)"},
		{unpark.Between(0.947, 0.93, 0.96, "ratio", 9), "94.7 % (93.0–96.0)", "×0.95 (0.93–0.96)", "−5.3 % (−7.0 % to −4.0 %)"},
		{unpark.Between(1, 1, 1.0135, "ratio", 9), "100 % (100–101)", "×1.00 (1.00–1.01)", "±0 % (±0 % to +1.4 %)"},
		{unpark.Between(1.61, 1.1, 28, "ratio", 9), "161 % (110–2,800)", "×1.61 (1.10–28.0)", "×1.61 (×1.10 to ×28.0)"},
		{unpark.Between(1.61, 1.1, 1.99, "ratio", 9), "161 % (110–199)", "×1.61 (1.10–1.99)", "+61.0 % (+10.0 % to +99.0 %)"},
		{unpark.Between(0.6, 0.4, 0.9, "ratio", 9), "60.0 % (40.0–90.0)", "×0.60 (0.40–0.90)", "×0.600 (×0.400 to ×0.900)"},
		{unpark.Between(3.54, 2.9, 4.1, "ratio", 9), "354 % (290–410)", "×3.54 (2.90–4.10)", "×3.54 (×2.90 to ×4.10)"},
	} {
		if got := quantity(test.q); got != test.want {
			t.Errorf("quantity %q, want %q", got, test.want)
		}
		if got := times(test.q); got != test.ratio {
			t.Errorf("times %q, want %q", got, test.ratio)
		}
		if got := changed(test.q); got != test.grow {
			t.Errorf("changed %q, want %q", got, test.grow)
		}
	}
}

func TestSmallTexts(t *testing.T) {
	for got, want := range map[string]string{
		plain(10, "s"): "10 s", plain(0.25, "s"): "250 ms", plain(20000, "req/s"): "20k req/s", plain(1.5, "cores"): "1.5 cores",
		count(0): "0", count(703120): "703,120", count(-1234): "-1,234",
		ranges([]int{5, 2, 3, 4, 8}): "2-5,8", ranges(nil): "",
		commandText([]string{"./x", "a b", "it's", ""}): `./x 'a b' 'it'\''s' ''`,
		prose("a\n\tb  c\x07"):                          `a b c\a`,
		middle("abcdefghij", 7):                         "ab…ghij", middle("abc", 1): "…", middle("abc", 3): "abc",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestTotals(t *testing.T) {
	num := unpark.Num
	w := unpark.Window{Load: &unpark.Load{AchievedRPS: 100}, Processes: []unpark.Process{
		{PID: 1, Cores: num(0.5), GOMAXPROCS: num(1), RSS: num(1e6), GCShare: num(0.1), Throttled: num(2)},
		{PID: 2, Cores: num(1.5), GOMAXPROCS: num(1), GCShare: num(0.3), Throttled: num(2)},
	}}
	got := totalRow(w)
	want := []string{"total", "2", "2.00", "20.0 ms", "~", "~", "≥1.00 MB", "25.0 %", "2.00 s", ""}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%s: %q, want %q", processHeader()[i], got[i], want[i])
		}
	}
	w.Processes[1].Throttled, w.Processes[1].Cores = num(3), unpark.Number{}
	got = totalRow(w)
	if got[2] != "≥0.50" || got[3] != "~" || got[7] != "~" || got[8] != "5.00 s" {
		t.Errorf("with an unknown part %q", got)
	}
}
