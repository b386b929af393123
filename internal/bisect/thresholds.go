package bisect

// functionRounds is how many rounds of the commit and the one before it tell which functions changed.
// Unit: rounds. Source: convention, for five minutes; 14 find 2 % of the service's CPU in a function with a tenth of it 84 times of 100 (docs/ab.md). Test: TestFunctionsOfTheCommit.
const functionRounds = 12
