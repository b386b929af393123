package selfcheck

import "time"

// openTruth returns the quantile q of the response times, in seconds, of evenly
// spaced arrivals at a server that is frozen for F of every P and otherwise
// answers at once, over a whole number of periods.
//
// A share f = F/P of the arrivals comes within a freeze. One that comes x before
// its end waits for x, and x is evenly spread over (0, F]; all others wait for
// nothing. So q ≤ 1−f is 0, and above that F·(q−(1−f))/f. With F = 1 s and P = 5 s,
// f = 0.2: p90 = 1 s·0.1/0.2 = 500 ms and p99 = 1 s·0.19/0.2 = 950 ms.
//
// It holds for a bounded number of connections too: those that find none are
// sent when the freeze ends, which is when they would have been answered. What
// is left out is the time in which the requests of a freeze are then served,
// F·rate of them: the j-th in order is answered j/speed later. At 1000/s and a
// speed of 50,000/s that adds at most 20 ms, to those that waited least, 10 ms
// to the p90 and 1 ms to the p99.
//
// A generator that leaves out what it could not send (coordinated omission) sees
// one slow request per connection and freeze: 50 of about 4050, a p90 of nothing.
func openTruth(s Service, q float64) float64 {
	f := s.Freeze.Seconds() / s.Period.Seconds()
	if q <= 1-f {
		return 0
	}
	return s.Freeze.Seconds() * (q - (1 - f)) / f
}

// closedTruth returns the quantile q of the response times, in seconds, of a
// closed loop at a server whose answers leave on a grid of T, over a whole number
// of periods.
//
// Every connection sends when it has its answer, just after an instant on the
// grid, and is answered at the next one; so it sends as often as the grid has
// instants, whatever the length of its way there and back. In a period of P
// there are (P−F)/T times T, and one time F, over the freeze: of n = (P−F)/T + 1
// requests one takes F and all others T. With P = 5 s, F = 1 s and T = 100 ms,
// n = 41: one in 41 is 2.4 %, so p90 = 100 ms and p99 = 1 s, and the mean is P/n.
//
// A grid and not a service time: the time that a server adds to each of forty
// sleeps would move the last of them against the freeze.
func closedTruth(s Service, q float64) float64 {
	if q <= 1-1/perPeriod(s) {
		return s.Tick.Seconds()
	}
	return s.Freeze.Seconds()
}

// perPeriod returns how many requests a connection of a closed loop sends in a
// period.
func perPeriod(s Service) float64 { return float64((s.Period-s.Freeze)/s.Tick + 1) }

// The loads of the checks: those of DESIGN §6, and a closed loop beside them.
func stalled() Service { return Service{Period: 5 * time.Second, Freeze: time.Second} }

func ticking() Service {
	return Service{Period: 5 * time.Second, Freeze: time.Second, Tick: 100 * time.Millisecond}
}

func steady() Service { return Service{Work: time.Millisecond} }
