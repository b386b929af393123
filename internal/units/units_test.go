package units

import (
	"math"
	"regexp"
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
		{1e300, "s", ">999T s"},
		{-1e300, "s", "<-999T s"},
		{9.63e-6, "waiters", "<0.001 waiters"},
		{-9.63e-6, "waiters", ">-0.001 waiters"},
		{0.00123, "waiters", "0.00123 waiters"},
		{1234567, "waiters", "1.23M waiters"},
		{1e12, "count", "1.00T"},
		{1e18, "count", ">999T"},
		{1e18, "B", "1.00M TB"},
		{4e-5, "cores", "<0.001 cores"},
		{1e12, "cores", "1.00T cores"},
		{12345, "ratio", "1.23M %"},
		{math.NaN(), "s", "~"},
		{math.Inf(1), "B", "~"},
	} {
		if got := Figure(test.v, test.unit); got != test.want {
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
		{unpark.Between(8.23e-7, 1e-9, 0.0234, "ratio", 9), "<0.01 % (<0.01–2.3)", "×<0.001 (<0.001–0.023)", "×<0.001 (×<0.001 to ×0.0234)"},
		{unpark.Between(1.2e6, 1e5, 1e16, "ratio", 9), "120M % (10.0M–>999T)", "×1.20M (100,000–>999T)", "×1.20M (×100,000 to ×>999T)"},
		{unpark.Between(3.54, 2.9, 4.1, "ratio", 9), "354 % (290–410)", "×3.54 (2.90–4.10)", "×3.54 (×2.90 to ×4.10)"},
	} {
		if got := Quantity(test.q); got != test.want {
			t.Errorf("quantity %q, want %q", got, test.want)
		}
		if got := Times(test.q); got != test.ratio {
			t.Errorf("times %q, want %q", got, test.ratio)
		}
		if got := Changed(test.q); got != test.grow {
			t.Errorf("changed %q, want %q", got, test.grow)
		}
	}
}

// TestNoExponent: however small or large a figure is, a reader gets plain digits.
func TestNoExponent(t *testing.T) {
	exponent := regexp.MustCompile(`[0-9]e[-+]`)
	for _, unit := range []string{"s", "s/req", "B", "req/s", "count", "cores", "waiters", "goroutines", "ratio", ""} {
		for e := -320; e <= 308; e++ {
			for _, v := range []float64{math.Pow10(e), 9.996 * math.Pow10(e), -math.Pow10(e)} {
				q := unpark.Between(v, v/7, v*7, unit, 9)
				for _, got := range []string{
					Figure(v, unit), Quantity(q), Say(v, unit), About(v, unit), Span(v/7, v, unit), Percent(v), Change(v), Changed(q), Times(q), SayChange(q),
				} {
					if exponent.MatchString(got) || len(got) > 60 {
						t.Errorf("%g %s prints %q", v, unit, got)
					}
				}
			}
		}
	}
}

func TestCount(t *testing.T) {
	for got, want := range map[string]string{
		Say(10, "s"): "10 s", Say(0.25, "s"): "250 ms", Say(20000, "req/s"): "20k req/s", Say(1.5, "cores"): "1.5 cores",
		Count(0): "0", Count(703120): "703,120", Count(-1234): "-1,234",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestSay(t *testing.T) {
	for _, test := range []struct {
		v           float64
		unit        string
		want, about string
	}{
		{0.0145, "s", "14.5 ms", "15 ms"},
		{0.002, "s", "2 ms", "2 ms"},
		{0, "s", "0 s", "0 s"},
		{37.4e-6, "s/req", "37.4 µs/req", "37 µs/req"},
		{43858, "req/s", "43.9k req/s", "44k req/s"},
		{365, "req/s", "365 req/s", "370 req/s"},
		{1e6, "B", "1 MB", "1 MB"},
		{0.875, "ratio", "88 %", "88 %"},
		{0.0421, "ratio", "4.2 %", "4.2 %"},
		{28, "ratio", "2,800 %", "2,800 %"},
		{1, "cores", "1 core", "1 core"},
		{1.9, "cores", "1.9 cores", "1.9 cores"},
		{0.004, "cores", "0.004 cores", "0.004 cores"},
		{2, "", "2", "2"},
		{0.893, "", "0.89", "0.89"},
		{0.0491, "waiters", "0.049 waiters", "0.049 waiters"},
		{9.63e-6, "waiters", "<0.001 waiters", "<0.001 waiters"},
		{2e-5, "cores", "<0.001 cores", "<0.001 cores"},
		{3e-7, "ratio", "<0.01 %", "<0.01 %"},
		{-0.001, "ratio", "0 %", "0 %"},
		{math.Inf(1), "s", "~", "~"},
	} {
		if got := Say(test.v, test.unit); got != test.want {
			t.Errorf("Say(%v, %q) = %q, want %q", test.v, test.unit, got, test.want)
		}
		if got := About(test.v, test.unit); got != test.about {
			t.Errorf("About(%v, %q) = %q, want %q", test.v, test.unit, got, test.about)
		}
	}
	if got := Span(0.004, 0.0125, "s"); got != "4–12.5 ms" {
		t.Errorf("Span: %q", got)
	}
	if got := Span(0.0421, 0.857, "ratio"); got != "4.2–86 %" {
		t.Errorf("Span: %q", got)
	}
}

func TestFromTo(t *testing.T) {
	for _, test := range []struct {
		from, to unpark.Number
		unit     string
		want     string
	}{
		{unpark.Num(11.7), unpark.Num(9.63e-6), "waiters", "11.7 → <0.001 waiters"},
		{unpark.Num(0.93), unpark.Num(1.5), "cores", "0.93 → 1.50 cores"},
		{unpark.Num(0.0921), unpark.Num(1.2), "s", "92.1 ms → 1.20 s"},
		{unpark.Num(428), unpark.Num(12800), "req/s", "428 req/s → 12.8k req/s"},
		{unpark.Num(0.001), unpark.Num(0.02), "ratio", "0.10 % → 2.0 %"},
		{unpark.Num(3), unpark.Num(0), "count", "3 → 0"},
		{unpark.Num(3), unpark.Number{}, "waiters", "3.00 waiters → ~"},
		{unpark.Number{}, unpark.Num(3), "waiters", "~ → 3.00 waiters"},
	} {
		if got := FromTo(test.from, test.to, test.unit); got != test.want {
			t.Errorf("FromTo(%v, %v, %q) = %q, want %q", test.from, test.to, test.unit, got, test.want)
		}
	}
}
