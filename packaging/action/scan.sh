#!/usr/bin/env bash
# Scans the transcripts that UNSTUCK_PATHS names, one path a line, and writes SARIF. The exit code of the scan becomes an
# output, so that the report is uploaded before the job fails.
set -euo pipefail

paths=()
while IFS= read -r path || [[ -n $path ]]; do
  path=${path#"${path%%[![:space:]]*}"}
  path=${path%"${path##*[![:space:]]}"}
  if [[ -n $path ]]; then
    paths+=("$path")
  fi
done <<< "${UNSTUCK_PATHS:-}"
if [[ ${#paths[@]} -eq 0 ]]; then
  echo "::error title=unstuck::\`paths\` names no file and no directory" >&2
  exit 2
fi

options=(--format sarif --output "${RUNNER_TEMP:?}/unstuck.sarif")
if [[ -n ${UNSTUCK_FAIL_ON:-} ]]; then
  options+=(--fail-on "$UNSTUCK_FAIL_ON")
fi
code=0
unstuck scan "${options[@]}" -- "${paths[@]}" || code=$?
echo "code=$code" >> "${GITHUB_OUTPUT:?}"
if [[ -s $RUNNER_TEMP/unstuck.sarif ]]; then
  echo "sarif=$RUNNER_TEMP/unstuck.sarif" >> "$GITHUB_OUTPUT"
fi
