// Package compare puts two runs side by side: what each metric did, what became
// of each finding, and whether the prediction held.
//
// [Runs] compares one round of each. One round has no interval: two identical
// runs differ by ±3–7 % on a small machine and by more in the tail, so a change
// is only named when it leaves a band that is wider than that, and a warning
// says that one round is no proof.
package compare
