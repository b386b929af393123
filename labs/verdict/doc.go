// Package verdict holds labs under load against what unpark keeps of them and the
// scoreboard does not look at: the profiles of each worker and their sum, a worker that
// is killed, the slowest requests of a trace, and requests that nobody marked.
// Whether the verdict itself is right is asked of every arm by labs/score.
package verdict
