#!/usr/bin/env bash
# Gets the release of UNSTUCK_VERSION for this runner from UNSTUCK_RELEASES, checks it, and puts it on PATH.
set -euo pipefail

version=${UNSTUCK_VERSION:?the version to install}
version=${version#v}
if [[ ! $version =~ ^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$ ]]; then
  echo "::error title=unstuck::\`version\` is \`$version\`, not a version such as 1.2.3" >&2
  exit 2
fi
case "${RUNNER_OS:?}-${RUNNER_ARCH:?}" in
  Linux-X64) target=x86_64-unknown-linux-musl ;;
  Linux-ARM64) target=aarch64-unknown-linux-musl ;;
  macOS-X64) target=x86_64-apple-darwin ;;
  macOS-ARM64) target=aarch64-apple-darwin ;;
  Windows-X64) target=x86_64-pc-windows-msvc ;;
  *)
    echo "::error title=unstuck::there is no release for $RUNNER_OS on $RUNNER_ARCH" >&2
    exit 2
    ;;
esac

name=unstuck-$version-$target
directory=${RUNNER_TEMP:?}/unstuck
mkdir -p "$directory"
cd "$directory"
for file in "$name.tar.gz" SHA256SUMS; do
  curl --fail --silent --show-error --location --retry 3 --proto '=https,file' --proto-redir '=https' \
    --max-time 300 --output "$file" "${UNSTUCK_RELEASES:?}/v$version/$file"
done
# Exactly one line, so that a file without a checksum does not pass.
grep -E "^[0-9a-f]{64}  $name\.tar\.gz$" SHA256SUMS > sum || true
if [[ $(wc -l < sum) -ne 1 ]]; then
  echo "::error title=unstuck::SHA256SUMS has no checksum of $name.tar.gz" >&2
  exit 2
fi
if command -v sha256sum > /dev/null; then
  sha256sum --check --quiet sum
else
  shasum --algorithm 256 --check --quiet sum
fi
tar -xzf "$name.tar.gz"
"$directory/$name/unstuck" --version
echo "$directory/$name" >> "${GITHUB_PATH:?}"
