#!/usr/bin/env bash
# The steps of action.yml: gate.sh install|measure|comment|verdict. Inputs come as
# environment variables, never as text of a script: a branch may be named $(…).
set -euo pipefail

die() { printf '::error::unpark: %s\n' "$*"; exit 1; }
: "${RUNNER_TEMP:?is set by GitHub Actions}"
folder="$RUNNER_TEMP/unpark-${UNPARK_NAME:-unpark}"
marker="<!-- unpark gate: ${UNPARK_NAME:-unpark} -->"

install() {
	local bin="$RUNNER_TEMP/unpark-bin"
	case "${UNPARK_VERSION:-}" in
	installed) ;;
	'') (cd "$GITHUB_ACTION_PATH" && go build -trimpath -buildvcs=false -o "$bin/" ./cmd/unpark) ;;
	*) GOBIN="$bin" go install "github.com/unpark-go/unpark/cmd/unpark@$UNPARK_VERSION" ;;
	esac
	[ ! -d "$bin" ] || { echo "$bin" >>"$GITHUB_PATH"; PATH="$bin:$PATH"; }
	unpark version
}

# fetch gets the base's commit, which a checkout of one commit does not have.
fetch() {
	git cat-file -e "$1^{commit}" 2>/dev/null || git fetch --quiet --depth=1 origin "$1" ||
		die "the base $1 is not in this checkout and cannot be fetched: give actions/checkout fetch-depth: 0"
}

# split reads words separated by spaces into an array, with no expansion.
split() { read -r -d '' -a "$1" <<<"$2" || true; }

# logged runs a command whose errors are kept beside being shown. It ends when the log is whole, which a
# process substitution does not wait for.
logged() {
	{ "$@" 2>&1 >&3 3>&- | tee -a "$folder/log" >&2 3>&-; } 3>&1
}

measure() {
	local subject measured=0 checked=0 flags=() args=() how=() budget=()
	[ -n "${UNPARK_PACKAGE:-}" ] || die "no package: set its input to the service's, such as ./cmd/server"
	split flags "${UNPARK_FLAGS:-}"
	split args "${UNPARK_ARGS:-}"
	rm -rf "$folder"
	mkdir -p "$folder"
	if [ -n "${UNPARK_BASE:-}" ]; then
		fetch "$UNPARK_BASE"
		subject="$folder/ab"
		how=(ab --before "$UNPARK_BASE" --after . --budget "${UNPARK_TIME:-10m}" --scorecard none)
	else
		subject="$folder/run"
		how=(run)
		budget=(--absolute)
	fi
	[ -z "${UNPARK_BUDGET:-}" ] || budget+=(--budget "$UNPARK_BUDGET")
	logged unpark "${how[@]}" --pkg "$UNPARK_PACKAGE" "${flags[@]}" --out "$subject" -- "${args[@]}" || measured=$?
	case $measured in
	0 | 3 | 4) # it was measured; whether that is good enough says the budget
		logged unpark check "$subject" "${budget[@]}" --github --md "$folder/summary.md" || checked=$?
		;;
	*) checked=$measured ;;
	esac
	if [ ! -s "$folder/summary.md" ]; then
		# Four spaces, so that nothing in the log is Markdown.
		{ printf '### unpark: FAILED with status %s\n\n' "$checked"; tail -n 20 "$folder/log" | sed 's/^/    /'; } >"$folder/summary.md"
	fi
	echo "$checked" >"$folder/status"
	cat "$folder/summary.md" >>"$GITHUB_STEP_SUMMARY"
	{ echo "status=$checked"; echo "folder=$folder"; } >>"$GITHUB_OUTPUT"
}

# comment writes the one comment of this gate, or writes it anew. It must not decide
# the job: a pull request from a fork has a token that may not write.
comment() {
	local body="$folder/comment.md" at="repos/$GITHUB_REPOSITORY/issues" id
	{
		printf '%s\n' "$marker"
		cat "$folder/summary.md"
		printf '\n[the job and its page](%s/%s/actions/runs/%s)\n' "$GITHUB_SERVER_URL" "$GITHUB_REPOSITORY" "$GITHUB_RUN_ID"
	} >"$body"
	# A stranger's comment with the marker is not ours to write to.
	if ! id="$(MARKER="$marker" gh api --paginate "$at/$UNPARK_PULL_REQUEST/comments" \
		--jq '.[] | select(.user.type == "Bot" and (.body | startswith(env.MARKER))) | .id')"; then
		echo "::warning::unpark: the comments of the pull request cannot be read: give the job pull-requests: write"
		return 0
	fi
	id="${id%%$'\n'*}"
	if [ -n "$id" ]; then
		gh api --silent --method PATCH "$at/comments/$id" -F "body=@$body"
	else
		gh api --silent --method POST "$at/$UNPARK_PULL_REQUEST/comments" -F "body=@$body"
	fi || echo "::warning::unpark: the comment cannot be written: give the job pull-requests: write; a pull request from a fork never has it"
}

verdict() {
	local status
	status="$(cat "$folder/status")"
	case $status in
	0) ;;
	3) echo "::error::unpark: the budget is broken" ;;
	4) echo "::error::unpark: void: the runner was too busy to measure on, which is no pass: run the job again" ;;
	*) echo "::error::unpark: it failed: see the log of the step before" ;;
	esac
	exit "$status"
}

case "${1:-}" in
install | measure | comment | verdict) "$1" ;;
*) die "gate.sh install|measure|comment|verdict" ;;
esac
