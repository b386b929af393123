// Package slowdown says what a site is worth by slowing it down. A delay of known
// length is put at the site of a finding, the service runs with none of it and at
// two doses, in turns, and the line through the three is drawn on to the delay that
// is negative by all the time the site takes. Causal profiling as of Coz (Curtsinger
// and Berger, SOSP 2015) slows down everything else instead, to speed one line up
// virtually; a service under load that fills its cores can be slowed down for real.
//
//  1. SubjectOf decides whether a finding calls for it: the model abstains or is
//     wide, and a delay can stand for the time that the site takes.
//  2. Spot.Insert puts one call into the source, on a line that is there already, and
//     Delay.Source is the file that declares what is called: it spins, and logs how
//     often it was called and how long it spun.
//  3. Subject.Doses chooses the doses from a round without delay.
//  4. ReadLog returns the delay that requests really got.
//  5. Subject.Conclude fits, tests the line, applies the ceilings that the line does not
//     know of, and compares with the model.
//
// The package computes: files, builds and processes are its caller's.
package slowdown
