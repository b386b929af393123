// Package steady chooses how long a load is to be measured, so that its p99 is known as
// well as was asked for, and says how well it is known in the end. The warm-up goes on
// until blocks of a second or more show no trend; the window is as long as their
// distribution and its bursts say. Both follow Lancet (Kogias, Mallon and Bugnion, "Lancet:
// A self-correcting Latency Measuring Tool", USENIX ATC 2019), which tests a measurement
// for stationarity and chooses its length by the interval of a percentile.
package steady
