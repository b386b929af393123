.PHONY: ci live score score-short scorecard

# Everything that must hold before a change lands.
ci:
	.ci/run

# unpark held against every lab, into docs/scoreboard.md. On a machine where others
# measure too: make score ARGS='-lock FILE'; after an interruption: ARGS=-resume.
score:
	go run ./labs/score $(ARGS)

# How well forecasts come true: each step from a slow lab to a fixed one, measured in
# rounds, into docs/scorecard.md. ARGS as above.
scorecard:
	go run ./labs/score -forecasts $(ARGS)

# What CI runs of the scoreboard.
score-short:
	go run ./labs/score -short $(ARGS)

# Tests whose outcome a neighbour's load can change, one at a time (decision 26).
live:
	go run ./labs/score/live $(ARGS)
