/**
 * The `autonomous` that a session finds on its PATH: POSIX shell, since the sandbox may hold no Node and refuses sockets.
 * It leaves its words in `requests` and waits for `replies/<same name>/`. Exit codes are the engine's; 75: nobody answered.
 */
import { shellQuote } from './environment.ts';

/** First word of every request file: the form of what follows. */
export const REQUEST_MAGIC = 'autonomous-request-1';
/** End of the name of a request that is written whole. */
export const REQUEST_SUFFIX = '.req';
export const NOBODY_ANSWERED = 75;

/** Names of the parts of a reply. */
export const REPLY_PARTS = { stdout: 'stdout', stderr: 'stderr', exitCode: 'code' } as const;

/** `seconds` is how long it waits. Every word goes as it is, framed by NULs, which no argument can hold. */
export function sessionScript(
  folders: { readonly requests: string; readonly replies: string },
  seconds: number,
): string {
  return `#!/bin/sh
# Asks the engine of this session. Usage: autonomous <verb> [words...]
requests=${shellQuote(folders.requests)}
replies=${shellQuote(folders.replies)}
nobody() {
  rm -f "$request" "$request${REQUEST_SUFFIX}"
  echo 'autonomous: nobody answers; try again later' >&2
  exit ${NOBODY_ANSWERED}
}
umask 077
request=$(mktemp "$requests/XXXXXXXXXXXX") || { echo 'autonomous: cannot leave a request' >&2; exit ${NOBODY_ANSWERED}; }
printf '%s\\0' ${REQUEST_MAGIC} "$#" "$@" > "$request" || nobody
mv "$request" "$request${REQUEST_SUFFIX}" || nobody
reply=$replies/\${request##*/}
left=$((${seconds} * 20))
while [ ! -f "$reply/${REPLY_PARTS.exitCode}" ]; do
  [ "$left" -gt 0 ] || nobody
  # A sleep that knows no fractions waits a whole second.
  if sleep 0.05 2>/dev/null; then left=$((left - 1)); else sleep 1; left=$((left - 20)); fi
done
cat "$reply/${REPLY_PARTS.stdout}"
cat "$reply/${REPLY_PARTS.stderr}" >&2
read -r code < "$reply/${REPLY_PARTS.exitCode}"
exit "$code"
`;
}
