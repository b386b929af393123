package predict

import (
	"math"
	"slices"
)

// network is a closed queueing network with one sort of request.
type network struct {
	think    float64 // s per request spent without a queue
	stations []times // s per request at each resource that serves one at a time
	cpu      float64 // CPU s per request
	cores    float64
}

// throughput returns requests per second with n requests under way, by exact
// mean value analysis (Reiser and Lavenberg, 1980). The cores are one station by
// Seidmann's approximation: a queue with demand/m, and a delay of what is left
// of one request's own service. A fractional n is interpolated; it is at most
// maxPopulation.
func (w network) throughput(n float64) float64 {
	if n <= 0 {
		return 0
	}
	demands := slices.Clone(w.stations)
	think := w.think
	if w.cores > 0 && w.cpu > 0 {
		m := max(1, w.cores)
		demands = append(demands, times{w.cpu / w.cores, 1})
		think += w.cpu * (m - 1) / m
	}
	return mva(think, demands, n)
}

// mva is exact for exponential times. For others the request that is being
// served when another one comes has (1+c²)/2 of a service left (Reiser, "A Queueing Network
// Analysis of Computer Communication Networks with Window Flow Control", 1979).
func mva(think float64, demands []times, n float64) float64 {
	queue := make([]float64, len(demands))
	whole := int(math.Ceil(n))
	var before, x float64
	for k := 1; k <= whole; k++ {
		response := 0.0
		for i, d := range demands {
			response += d.response(queue[i], x)
		}
		if think+response <= 0 {
			return math.Inf(1)
		}
		next := float64(k) / (think + response)
		for i, d := range demands {
			queue[i] = next * d.response(queue[i], x)
		}
		before, x = x, next
	}
	return before + (x-before)*(n-float64(whole-1))
}

// response is the time of a request at a station where it finds a queue, that serves
// others at a rate.
func (t times) response(queue, rate float64) float64 {
	busy := min(1, rate*t.mean)
	return t.mean * (1 + max(0, queue-busy*(1-t.scv)/2))
}
