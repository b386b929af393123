package steady

import (
	"math"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/stats"
)

// Interval returns the p99 of a response with its 90 % interval. The ends are order
// statistics: the number of answers below the true percentile is binomial (David and
// Nagaraja, "Order Statistics", 2003, §7.1), its variance times inflation where slow answers
// come together. Ends are read from the distribution's buckets, between whose bounds answers
// are taken to lie evenly on a logarithmic axis. An end that too few answers lie beyond is
// unknown.
func Interval(l unpark.Latency, inflation float64) unpark.Quantity {
	if l.N == 0 {
		return unpark.Quantity{}
	}
	q := unpark.Quantity{Value: unpark.Num(l.P99), N: l.N}
	low, high, ok := ends(mixture{l}, float64(l.N), inflation)
	if ok {
		q.Low, q.High = unpark.Num(min(low, l.P99)), unpark.Num(max(high, l.P99))
	}
	return q
}

// half is half of an interval's width as a share of its value.
func half(q unpark.Quantity) unpark.Number {
	low, known := q.Low.Get()
	high, bounded := q.High.Get()
	if !known || !bounded {
		return unpark.Number{}
	}
	return unpark.Ratio((high-low)/2, q.Value.Or(0))
}

// ends are those of the p99 of n answers that come as the mixture says.
func ends(m mixture, n, inflation float64) (low, high float64, ok bool) {
	d := stats.Z90 * math.Sqrt(percentile*(1-percentile)*inflation/n)
	if n*(1-percentile-d) < enoughAbove || m.count()*(1-percentile-d) < enoughAbove {
		return 0, 0, false
	}
	return m.quantile(percentile - d), m.quantile(percentile + d), true
}

// mixture is the distribution of the answers of several stretches together.
type mixture []unpark.Latency

func (m mixture) count() float64 {
	n := 0.0
	for _, l := range m {
		n += float64(l.N)
	}
	return n
}

// above returns how many answers of one stretch took longer than v seconds.
func above(l unpark.Latency, v float64) float64 {
	n, from := 0.0, l.Min
	for _, b := range l.Buckets {
		switch {
		case from >= v:
			n += float64(b.Count)
		case b.Le > v:
			part := 1.0
			if from > 0 {
				part = math.Log(b.Le/v) / math.Log(b.Le/from)
			}
			n += part * float64(b.Count)
		}
		from = b.Le
	}
	return n
}

// above returns how many answers took longer than v seconds.
func (m mixture) above(v float64) float64 {
	n := 0.0
	for _, l := range m {
		n += above(l, v)
	}
	return n
}

// quantile returns the time that the share p of all answers stayed below.
func (m mixture) quantile(p float64) float64 {
	low, high := math.Inf(1), 0.0
	for _, l := range m {
		if l.N > 0 {
			low, high = min(low, l.Min), max(high, l.Max)
		}
	}
	beyond := (1 - p) * m.count()
	for high-low > low*resolution {
		middle := (low + high) / 2
		if m.above(middle) > beyond {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}

// inflation is the variance of the number of answers above the common p99, from stretch to
// stretch, over that of as many answers each slow by itself, and what is not known of it by so few stretches; at least 1.
func (m mixture) inflation() float64 {
	n := m.count()
	if len(m) < 2 || n == 0 {
		return 1
	}
	at, squares := m.quantile(percentile), 0.0
	share := m.above(at) / n
	for _, l := range m {
		d := above(l, at) - share*float64(l.N)
		squares += d * d
	}
	alone := share * (1 - share) * n * float64(len(m)-1) / float64(len(m))
	if alone <= 0 {
		return 1
	}
	// Few stretches tell a variance roughly: Student's t widens what rests on it.
	student := stats.StudentQuantile(1-tail, len(m)-1) / stats.Z90
	return max(1, squares/alone*student*student)
}
