# Runs the programs of a container's root directory as a container does: with that root and nothing else, read-only, as
# another user, with an empty volume. Arguments: the root, the user, the directory of the volume, transcripts, the version.
# VARIABLES is the environment of the image, WORK a directory for what is printed.
set -eu
root=$1 user=$2 volume=$3 transcripts=$4 version=$5
mkdir "$root/transcripts"
mount --bind "$root" "$root"
mount --bind "$transcripts" "$root/transcripts"
mount -t tmpfs -o "uid=${user%:*},gid=${user#*:},mode=0700" tmpfs "$root$volume"
mount -o remount,ro,bind "$root"
fail() { echo "$*" >&2; exit 1; }
run() {
  program=$1
  shift
  # One variable a word; the image has none with blanks.
  env -i $VARIABLES "$(command -v chroot)" --userspec="$user" "$root" "/usr/local/bin/$program" "$@"
}

found=$(run unstuck --version)
[ "$found" = "$version" ] || fail "the container has $found, not $version"
run unstuck scan /transcripts > "$WORK/report"
grep -q '7 of 11 runs' "$WORK/report" || fail "the scan found something else: $(cat "$WORK/report")"

# State goes to the volume, of the user of the container.
input='{"session_id":"s","transcript_path":"","cwd":"/","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"},"tool_use_id":"t"}'
printf '%s' "$input" | run unstuck-hook claude-code
run unstuck sessions | grep -q 'claude-code  s' || fail "the session was not kept"
owner=$(stat -c %u:%g "$root$volume"/* | sort -u)
[ "$owner" = "$user" ] || fail "the state belongs to $owner"

# Nothing else can be written.
code=0
run unstuck scan /transcripts -o /report.html > /dev/null 2> "$WORK/refused" || code=$?
[ "$code" -eq 2 ] || fail "writing to the root ended with $code"
grep -qi 'read-only' "$WORK/refused" || fail "writing to the root failed otherwise: $(cat "$WORK/refused")"
