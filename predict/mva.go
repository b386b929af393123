package predict

import "math"

// network is a closed queueing network with one sort of request.
type network struct {
	think    float64   // s per request spent without a queue
	stations []float64 // s per request at each resource that serves one at a time
	cpu      float64   // CPU s per request
	cores    float64
}

// throughput returns requests per second with n requests under way, by exact
// mean value analysis (Reiser and Lavenberg, 1980). The cores are one station by
// Seidmann's approximation: a queue with demand/m, and a delay of what is left
// of one request's own service. A fractional n is interpolated.
func (w network) throughput(n float64) float64 {
	if n <= 0 {
		return 0
	}
	demands := append([]float64(nil), w.stations...)
	think := w.think
	if w.cores > 0 && w.cpu > 0 {
		m := max(1, w.cores)
		demands = append(demands, w.cpu/w.cores)
		think += w.cpu * (m - 1) / m
	}
	return mva(think, demands, n)
}

func mva(think float64, demands []float64, n float64) float64 {
	queue := make([]float64, len(demands))
	whole := min(int(math.Ceil(n)), maxPopulation)
	n = min(n, float64(whole))
	var before, x float64
	for k := 1; k <= whole; k++ {
		response := 0.0
		for i, d := range demands {
			response += d * (1 + queue[i])
		}
		if think+response <= 0 {
			return math.Inf(1)
		}
		before, x = x, float64(k)/(think+response)
		for i, d := range demands {
			queue[i] = x * d * (1 + queue[i])
		}
	}
	return before + (x-before)*(n-float64(whole-1))
}

// maxPopulation bounds the recursion; long before it every station saturates.
const maxPopulation = 20000
