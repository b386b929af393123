package usl_test

import (
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/unpark-go/unpark/internal/stats/usl"
)

func law(lambda, sigma, kappa, n float64) float64 {
	return lambda * n / (1 + sigma*(n-1) + kappa*n*(n-1))
}

func fitted(f usl.Law, n float64) float64 {
	return law(f.Lambda.Value, f.Sigma.Value, f.Kappa.Value, n)
}

// rSquared is 1 − residual ÷ total sum of squares of X.
func rSquared(p []usl.Point, f usl.Law) float64 {
	var mean, total, left float64
	for _, q := range p {
		mean += q.X / float64(len(p))
	}
	for _, q := range p {
		total += (q.X - mean) * (q.X - mean)
		left += (q.X - fitted(f, q.N)) * (q.X - fitted(f, q.N))
	}
	return 1 - left/total
}

func points(weight float64, pairs ...float64) (out []usl.Point) {
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, usl.Point{N: pairs[i], X: pairs[i+1], Weight: weight})
	}
	return out
}

// raytracer is the throughput of a ray tracer by processors, from Gunther,
// "Guerrilla Capacity Planning", 2007, as in the data sets of R's package usl.
func raytracer(weight float64) []usl.Point {
	return points(weight, 1, 20, 4, 78, 8, 130, 12, 170, 16, 190, 20, 200, 24, 210, 28, 230, 32, 260, 48, 280, 64, 310)
}

// sdm91 is a Sun SPARCcenter 2000 in the benchmark SPEC SDM91, scripts per hour
// by load; from the same data sets.
func sdm91(weight float64) []usl.Point {
	return points(weight, 1, 64.9, 18, 995.9, 36, 1652.4, 72, 1853.2, 108, 1828.9, 144, 1775.0, 216, 1702.2)
}

func near(t *testing.T, name string, got, want, share float64) {
	t.Helper()
	if math.Abs(got-want) > share*math.Abs(want) {
		t.Errorf("%s is %.6g, want %.6g", name, got, want)
	}
}

// TestPublished compares with fits that others published: R's package usl, of
// S. Möding, which minimises the bare squares (its README and manual).
func TestPublished(t *testing.T) {
	f, err := usl.Fit(sdm91(1), 1)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "SDM91: λ", f.Lambda.Value, 89.9952, 1e-4)
	near(t, "SDM91: σ", f.Sigma.Value, 0.0277285, 1e-4)
	near(t, "SDM91: κ", f.Kappa.Value, 0.0001044, 1e-3)
	near(t, "SDM91: N*", f.Peak.Value, 96.5, 1e-3)
	if rSquared(sdm91(1), f) < 0.98 || f.Levels != 7 || f.Sigma.Low > 0.0277 || f.Kappa.Low <= 0 || f.Peak.High > 216 {
		t.Errorf("SDM91: %+v", f)
	}
	near(t, "SDM91: X at N*", fitted(f, f.Peak.Value), f.PeakX.Value, 1e-9)
	if fitted(f, 90) > f.PeakX.Value || fitted(f, 105) > f.PeakX.Value {
		t.Errorf("SDM91: the peak %+v is none", f.PeakX)
	}

	f, err = usl.Fit(raytracer(1), 1)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "ray tracer: λ", f.Lambda.Value, 21.848843, 1e-4)
	near(t, "ray tracer: σ", f.Sigma.Value, 0.057771, 1e-4)
	if f.Kappa.Value > 1e-5 || !math.IsInf(f.Peak.High, 1) || f.Extrapolates || !strings.HasPrefix(f.Reason, "κ may be 0") {
		t.Errorf("ray tracer: %+v", f)
	}
	// The book's own fit, by a polynomial through N/X: σ = 0.05, κ near 0.
	if f, err = usl.Fit(raytracer(0), 1); err != nil || f.Sigma.Low > 0.05 || f.Sigma.High < 0.05 || f.Kappa.Low > 5e-6 {
		t.Errorf("ray tracer, relative errors: %+v, %v", f, err)
	}
}

// TestRecovers fits noisy measurements of known laws: each interval has to
// hold its parameter in at least 90 % of the simulations.
func TestRecovers(t *testing.T) {
	simulations, enough := 200, 0.9
	if testing.Short() {
		simulations, enough = 40, 0.8 // 36 of 40 are missed by chance too often
	}
	levels := []float64{1, 2, 4, 8, 16, 32, 64, 128}
	for _, c := range []struct {
		name                 string
		lambda, sigma, kappa float64
		levels               []float64
	}{
		{"peak inside", 1000, 0.05, 0.0005, levels},
		{"contention alone", 50, 0.1, 0, levels},
		{"nearly linear", 3, 0.002, 0.00001, levels},
		{"six levels", 1000, 0.03, 0.001, levels[:6]},
		{"from ten on", 1000, 0.02, 0.0002, []float64{10, 20, 40, 60, 80, 100, 150}},
	} {
		t.Run(c.name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(5, 6))
			peak := math.Inf(1)
			if c.kappa > 0 {
				peak = math.Sqrt((1 - c.sigma) / c.kappa)
			}
			names := []string{"λ", "σ", "κ", "N*"}
			truth := []float64{c.lambda, c.sigma, c.kappa, peak}
			inside, flagged := make([]int, len(truth)), 0
			for i := range simulations {
				var p []usl.Point
				for _, n := range c.levels {
					p = append(p, usl.Point{N: n, X: law(c.lambda, c.sigma, c.kappa, n) * (1 + 0.03*random.NormFloat64())})
				}
				f, err := usl.Fit(p, uint64(i))
				if err != nil {
					t.Fatal(err)
				}
				for j, v := range []usl.Interval{f.Lambda, f.Sigma, f.Kappa, f.Peak} {
					if v.Low <= truth[j] && truth[j] <= v.High {
						inside[j]++
					}
				}
				if strings.Contains(f.Reason, "pattern") || strings.Contains(f.Reason, "poor") {
					flagged++
				}
			}
			for j, name := range names {
				if share := float64(inside[j]) / float64(simulations); share < enough {
					t.Errorf("%s is inside of %.1f %% of its intervals", name, 100*share)
				}
			}
			t.Logf("inside %v of %d; called poor %d", inside, simulations, flagged)
			if flagged > simulations/20 {
				t.Errorf("%d of %d good fits were called poor", flagged, simulations)
			}
		})
	}
}

func TestExact(t *testing.T) {
	var p []usl.Point
	for _, n := range []float64{64, 1, 4, 2, 8, 32, 16} {
		p = append(p, usl.Point{N: n, X: law(1234, 0.04, 0.0003, n)})
	}
	f, err := usl.Fit(p, 1)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "λ", f.Lambda.Value, 1234, 1e-9)
	near(t, "σ", f.Sigma.Value, 0.04, 1e-9)
	near(t, "κ", f.Kappa.Value, 0.0003, 1e-9)
	near(t, "N*", f.Peak.Value, math.Sqrt(0.96/0.0003), 1e-9)
	near(t, "R²", rSquared(p, f), 1, 1e-9)
	if !f.Extrapolates || f.Reason != "" || f.Residual > 1e-9 || p[0].N != 64 {
		t.Errorf("%+v", f)
	}
	if again, _ := usl.Fit(p, 1); !reflect.DeepEqual(f, again) {
		t.Errorf("the same seed gives %+v and %+v", f, again)
	}
}

func TestRefuses(t *testing.T) {
	good := raytracer(0)
	with := func(change usl.Point) []usl.Point { return append([]usl.Point{change}, good...) }
	for _, c := range []struct {
		points []usl.Point
		want   string
	}{
		{nil, "0 levels are too few"},
		{good[:5], "5 levels are too few for three parameters: measure at 6 or more"},
		{append(good[:5:5], good[:5]...), "5 levels are too few"},
		{with(usl.Point{N: 0.5, X: 1}), "concurrency 0.5: must be from 1 to 1e+09"},
		{with(usl.Point{N: math.NaN(), X: 1}), "concurrency NaN"},
		{with(usl.Point{N: math.Inf(1), X: 1}), "concurrency +Inf"},
		{with(usl.Point{N: 3}), "throughput 0 at concurrency 3: must be above 0"},
		{with(usl.Point{N: 3, X: math.Inf(1)}), "throughput +Inf"},
		{with(usl.Point{N: 3, X: 1, Weight: -1}), "weight -1 at concurrency 3"},
		{with(usl.Point{N: 3, X: 1e-8}), "throughputs from 1e-08 to 310 are not those of one service"},
	} {
		if _, err := usl.Fit(c.points, 1); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: got %v, want %s", c.points, err, c.want)
		}
	}
}

// TestObjects: data of another shape are fitted, and the fit says that it must
// not be extrapolated.
func TestObjects(t *testing.T) {
	levels := []float64{1, 2, 4, 8, 12, 16, 24, 32, 48, 64}
	from := func(x func(n float64) float64) (p []usl.Point) {
		for i, n := range levels {
			p = append(p, usl.Point{N: n, X: x(n) * (1 + 0.005*float64(i%3-1))})
		}
		return p
	}
	for _, c := range []struct {
		name string
		x    func(n float64) float64
		want string
	}{
		{"a cliff", func(n float64) float64 {
			if n > 20 {
				return 100
			}
			return 100 * n
		}, "the fit is poor: it is off by"},
		{"a plain ceiling", func(n float64) float64 { return min(100*n, 900) }, "the"},
		{"better than linear", func(n float64) float64 { return 100 * math.Pow(n, 1.3) }, "the fit is poor"},
		{"no contention", func(n float64) float64 { return 100 * n }, "κ may be 0"},
		{"flat", func(float64) float64 { return 500 }, ""},
	} {
		f, err := usl.Fit(from(c.x), 3)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if !strings.HasPrefix(f.Reason, c.want) || (f.Reason == "") != f.Extrapolates {
			t.Errorf("%s: %q, want %q; %+v", c.name, f.Reason, c.want, f)
		}
	}
}

// FuzzFit: whatever is accepted has ordered intervals.
func FuzzFit(f *testing.F) {
	f.Add(uint64(1), 100.0, 0.1, 0.001, 0.05, 1.0)
	f.Add(uint64(2), 1e-6, 0.0, 0.0, 3.0, 40.0)
	f.Add(uint64(3), 1e9, 5.0, 1.0, 0.0, 1.5)
	f.Fuzz(func(t *testing.T, seed uint64, lambda, sigma, kappa, noise, from float64) {
		random := rand.New(rand.NewPCG(seed, 1))
		var p []usl.Point
		for i := range 7 {
			n := from * math.Pow(1.7, float64(i))
			p = append(p, usl.Point{N: n, X: law(lambda, sigma, kappa, n) * math.Exp(noise*random.NormFloat64())})
		}
		fit, err := usl.Fit(p, seed)
		if err != nil {
			return
		}
		for _, v := range []usl.Interval{fit.Lambda, fit.Sigma, fit.Kappa, fit.Peak, fit.PeakX} {
			if !(v.Low <= v.Value && v.Value <= v.High) || v.Low < 0 {
				t.Fatalf("%+v of %v", fit, p)
			}
		}
	})
}
