.PHONY: ci live score score-short scorecard attach-cost wild wild-servers tidy release release-try

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

# What being read from outside costs a service, in turns of three. ARGS='-dose 10', ARGS='-goroutines 1000000'.
attach-cost:
	go run ./labs/score/attach $(ARGS)

# unpark held against documented faults of real modules, before and after their fix: make
# wild ARGS='-half work'. Needs the module proxy.
wild:
	go run ./labs/wild $(ARGS)

# unpark held against whole servers of others, each with two loads, and what an expert says
# of them. Some take minutes to build, once.
wild-servers:
	go run ./labs/wild -servers $(ARGS)

# Tests whose outcome a neighbour's load can change, one at a time (decision 20).
live:
	go run ./labs/score/live $(ARGS)

# go get and go mod tidy for the three modules: make tidy ARGS=example.com/m@v1.2.3
tidy:
	.ci/tidy $(ARGS)

# A release: a commit, a tag for each module, archives in dist. make release VERSION=v0.1.0,
# then the push that it prints (decision 24). release-try leaves nothing in the repository.
release:
	go run ./internal/release make $(ARGS) $(VERSION)
release-try:
	go run ./internal/release try $(ARGS) $(VERSION)
