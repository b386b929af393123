.PHONY: ci score score-short

# Everything that must hold before a change lands.
ci:
	.ci/run

# unpark held against every lab, into docs/scoreboard.md. On a machine where others
# measure too: make score ARGS='-lock FILE'; after an interruption: ARGS=-resume.
score:
	go run ./labs/score $(ARGS)

# What CI runs of it.
score-short:
	go run ./labs/score -short $(ARGS)
