#!/bin/sh
# Records testdata/versions/goX.Y.trace.gz: the case "tour" of testdata/cases,
# built by each version of Go, and testdata/broken/goX.Y.trace.gz: the case
# "two-generations" of the versions that end a generation differently. Toolchains that are not there are downloaded.
# Sleeps make the shares; other figures differ from one recording to the next.
set -eu
cd "$(dirname "$0")/../cases"
out=$(mktemp -d)
trap 'rm -r "$out"' EXIT
for version in 1.21.13 1.22.12 1.23.12 1.24.13 1.25.7 1.26.8 1.27.1; do
	minor=${version%.*}
	mod=go.mod
	if [ "$minor" = 1.21 ]; then mod=go121.mod; fi
	GOWORK=off CGO_ENABLED=0 GOTOOLCHAIN=go$version go build -trimpath -modfile=$mod -o "$out/cases" .
	# The module's go line would choose the timers of Go 1.22 for the later ones.
	GODEBUG=asynctimerchan=0 "$out/cases" tour "$out/trace"
	gzip -9 -n -c "$out/trace" >"../versions/go$minor.trace.gz"
	case $minor in 1.22 | 1.26)
		"$out/cases" two-generations "$out/long"
		gzip -9 -n -c "$out/long" >"../broken/go$minor.trace.gz"
		;;
	esac
	echo "go$version: $(wc -c <"$out/trace") bytes"
done
