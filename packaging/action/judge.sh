#!/usr/bin/env bash
# Ends the job as the scan ended.
set -euo pipefail

case "${UNSTUCK_CODE:?}" in
  0) ;;
  1) echo "::error title=unstuck::runs got stuck in loops that \`fail-on\` names" >&2 ;;
  *) echo "::error title=unstuck::transcripts could not be read, see the log of the scan" >&2 ;;
esac
exit "$UNSTUCK_CODE"
