/**
 * The `autonomous` that a session finds on its PATH: POSIX shell, because the sandbox may have no Node and refuses
 * sockets. It writes its words to `requests` and polls `replies/<same name>/` while that folder exists. Exit codes are
 * the engine's; 75 if there was no answer.
 */
import { shellQuote } from '../../../core/text/shellQuote.ts';

/** First word of every request file, which identifies its format. */
export const REQUEST_MAGIC = 'autonomous-request-1';
/** Suffix of a request that is completely written. */
export const REQUEST_SUFFIX = '.req';
export const NOBODY_ANSWERED = 75;

/** Names of the parts of a reply. */
export const REPLY_PARTS = { stdout: 'stdout', stderr: 'stderr', exitCode: 'code' } as const;

/** The reply to a line that the engine refuses to read. */
const NOT_READ = '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"this line was refused"}}';

/**
 * `seconds`: how long the script polls. Every word is sent unchanged, framed by NULs, which no argument can contain. If
 * the second and last word is `-`, the text of stdin replaces it. `mcp` sends each line of stdin, under one name for
 * the run.
 */
export function sessionScript(
  folders: { readonly requests: string; readonly replies: string },
  seconds: number,
): string {
  return `#!/bin/sh
# Asks the engine of this session; \`autonomous help\` lists the words.
requests=${shellQuote(folders.requests)}
replies=${shellQuote(folders.replies)}
umask 077
unanswered() {
  rm -f "$request" "$request${REQUEST_SUFFIX}"
  echo 'autonomous: no answer; try again later' >&2
  exit ${NOBODY_ANSWERED}
}
begin() {
  request=$(mktemp "$requests/XXXXXXXXXXXX") || { echo 'autonomous: cannot leave a request' >&2; exit ${NOBODY_ANSWERED}; }
}
finish() {
  mv "$request" "$request${REQUEST_SUFFIX}" || unanswered
  reply=$replies/\${request##*/}
  left=$((${seconds} * 20))
  quick=10
  while [ ! -f "$reply/${REPLY_PARTS.exitCode}" ]; do
    [ "$left" -gt 0 ] && [ -d "$replies" ] || unanswered
    # Most answers are immediate. Some sleeps know no fractions: these take a whole second.
    if [ "$quick" -gt 0 ] && sleep 0.01 2>/dev/null; then quick=$((quick - 1))
    elif sleep 0.05 2>/dev/null; then left=$((left - 1))
    else sleep 1; left=$((left - 20)); fi
  done
  read -r code < "$reply/${REPLY_PARTS.exitCode}"
}
ask() {
  begin
  printf '%s\\0' ${REQUEST_MAGIC} "$#" "$@" > "$request" || unanswered
  finish
}
if [ "$#" -eq 1 ] && [ "$1" = mcp ]; then
  begin
  connection=\${request##*/}
  rm -f "$request"
  while IFS= read -r line || [ -n "$line" ]; do
    [ -n "$line" ] || continue
    ask mcp "$connection" "$line"
    if [ "$code" -eq 0 ]; then cat "$reply/${REPLY_PARTS.stdout}"; else echo '${NOT_READ}'; fi
  done
  ask mcp "$connection"
  exit 0
fi
if [ "$#" -eq 2 ] && [ "$2" = - ]; then
  begin
  { printf '%s\\0' ${REQUEST_MAGIC} 2 "$1"; cat; printf '\\0'; } > "$request" || unanswered
  finish
else
  ask "$@"
fi
cat "$reply/${REPLY_PARTS.stdout}"
cat "$reply/${REPLY_PARTS.stderr}" >&2
exit "$code"
`;
}
