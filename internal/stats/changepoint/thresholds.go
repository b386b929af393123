package changepoint

const (
	// alpha is the probability of a change where there is none.
	// Unit: probability. Source: convention, as compare.Options. Test: TestNoiseHasNoChanges.
	alpha = 0.01
	// permutations is how many shuffles a change is held against: the least probability is one in five hundred.
	// Unit: shuffles. Source: Matteson and James take 499.
	// Test: TestAgainstOtava.
	permutations = 499
	// least is how many values a level must have for a change to be looked for: four and four can be told at
	// alpha by no test, and eight in all by this one seldom.
	// Unit: values. Source: 2 of the 70 orders of four and four are as clear. Test: TestShortSeries.
	least = 4
	// longest is how many of the last values are looked at.
	// Unit: values. Source: 90,000 distances, a fifth of a second for a change. Test: TestLongSeries.
	longest = 300
)
