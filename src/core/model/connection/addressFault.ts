/** Addresses of model servers to which requests would not arrive. */
import type { Wire } from '../../../shared/model/connections.ts';

/** Parts of an example that differ from user to user. */
const OWN = /^(?:[A-Z]+|global)$/;

/** What the wires add. */
const CALLS = /\/(?:v1\/messages|chat\/completions|responses)$/;

/** Why the address cannot be right, in one sentence; null if nothing speaks against it. `example`: the form that the server's addresses have. */
export function addressFault(
  baseUrl: string,
  { wire, example }: { readonly wire: Wire; readonly example: string | null },
): string | null {
  const { hostname, pathname } = new URL(baseUrl);
  if (wire === 'messages' && pathname.endsWith('/v1')) {
    return 'the wire messages adds /v1/messages to the address: leave out the /v1 at its end';
  }
  const [call] = CALLS.exec(pathname) ?? [];
  if (call !== undefined) return `the wire ${wire} adds ${call} to the address: leave it out`;
  if (example === null) return null;
  const [, host = '', path = ''] = /^https:\/\/([^/]+)(.*)$/.exec(example) ?? [];
  const isElsewhere = !hasForm(hostname, host, '.');
  return isElsewhere || hasForm(pathname, path, '/') ? null : `its address has the form ${example}`;
}

function hasForm(text: string, form: string, separator: string): boolean {
  const parts = text.split(separator);
  const wanted = form.split(separator);
  return parts.length === wanted.length && wanted.every((part, at) => OWN.test(part) || part === parts[at]);
}
