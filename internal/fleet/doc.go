// Package fleet drives one plan from many machines, and captures processes of many, as if
// they were one.
//
// The coordinator, in numbered steps:
//
//  1. It serves NATS itself, or uses the user's (package hub), and reads the register of
//     agents (agents.go). Those of other versions of the documents are refused.
//  2. It compares clocks with the agents of a run: four timestamps, the fastest exchanges
//     of many (package clock). One that is not known to [MaxSpread] is refused.
//  3. It splits the plan ([unpark.Share]) and sends each agent its task; each says whether
//     it may and can (session.go).
//  4. It names one instant, in each agent's own time, and from then on is not needed: phases
//     are times after the start. It says that it is there, and listens whether the agents are.
//  5. It fetches what they recorded, each artifact as a stream into the run directory
//     (collect.go), and merges the records without loss (load.Record).
//  6. A part that cannot be trusted is left out, and what is left is said (parts.go).
//
// The package judges nothing else: investigate reaches the verdict.
package fleet
