#!/bin/sh
# Builds one server of this folder, and the programs beside it, into a folder.
#
#   build.sh NAME FOLDER            the server as it is: FOLDER/server, and FOLDER/seed and so on
#   build.sh -p NAME FOLDER         with net/http/pprof on 127.0.0.1:$PPROF_PORT, for a look by hand
#
# A server whose profiles are "wrapped" in server.json has its package main here; `unpark run
# --pkg labs/wild/servers/NAME` builds it with the probe. Those with an endpoint of their own are
# built from the module as they are; -p changes nothing for them.
set -eu

profiles=
if [ "${1-}" = -p ]; then
	profiles=yes
	shift
fi
if [ $# -ne 2 ]; then
	echo "usage: build.sh [-p] NAME FOLDER" >&2
	exit 64
fi
here=$(cd "$(dirname "$0")" && pwd)
dir=$here/$1
if [ ! -f "$dir/server.json" ]; then
	echo "no such server: $1" >&2
	exit 64
fi
mkdir -p "$2"
out=$(cd "$2" && pwd)

# The servers have modules of their own: the workspace of this repository is none of theirs.
export GOWORK=off
cd "$dir"

package=.
tags=
if [ -f build.env ]; then # package=…, tags=…: for a main package inside of the module
	. ./build.env
fi
set -- build -buildvcs=false -tags "$tags" -o "$out/server"
if [ -n "$profiles" ] && [ "$package" = . ]; then
	overlay=$(mktemp)
	trap 'rm -f "$overlay"' EXIT
	printf '{"Replace": {"%s/zz_profiles.go": "%s/profiles.go.txt"}}\n' "$dir" "$here" >"$overlay"
	set -- "$@" -overlay "$overlay"
fi
go "$@" "$package"
for beside in seed backend clients; do
	if [ -d "$beside" ]; then
		go build -buildvcs=false -tags "$tags" -o "$out/$beside" "./$beside"
	fi
done
