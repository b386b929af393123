// Package verdict holds labs under load against what unpark keeps of them and the
// scoreboard does not look at: the profiles of each worker and their sum, a worker that
// is killed, and requests that have no marks. The slowest requests of a trace are told
// by live tests (labs/score/live), and whether the verdict itself is right is asked of
// every arm by labs/score.
package verdict
