// Package functions says which functions of a service cost another amount per request in the arm after, where both arms
// were profiled in rounds made in turns. It computes and does no I/O. Begin at [Judge]:
//
//  1. [Of] reduces the flame graphs of one arm in one round to what each function costs: its share of the CPU, of the
//     bytes allocated and of what requests wait for. Own cost is that of stacks whose innermost frame of the application it
//     is, with what the function calls of Go and of other modules; inclusive cost is that of all stacks it is on.
//  2. A share times the round's cost per request, which the operating system and the runtime count, is the function's
//     cost per request in that round, less what the machine's speed did to it (speed.go): of that a function may feel less
//     than the service does. A round gives one difference for each function.
//  3. All differences of all functions and metrics are tested at once, by flipping the signs of whole rounds
//     (paired.SignFlip): p is corrected for the many functions that are looked at, with their dependence. Which ones are
//     looked at is decided by the sum of both arms, which swapping arms leaves alone.
//  4. Changes are attributed (attribute.go): cost that moved between a function and another below the same caller, whose
//     inclusive cost stayed, is one row and no change; an inclusive change is told where no function below explains it.
package functions
