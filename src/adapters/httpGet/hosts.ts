/** Checks whether the user allowed the host of a URL. */
import { isIP } from 'node:net';
import { type Address, isLoopback } from './addresses.ts';
import { HttpFault } from './fault.ts';

/** Names of the setting and of the terminal's option, for hints. */
export const SETTING = 'autonomous.tasks.allowedHosts (--allow-host)';

export interface AllowedUrl {
  readonly url: URL;
  /** The host without brackets, in lower case. */
  readonly name: string;
  /** For people: without its query, which may be private. */
  readonly shown: string;
}

/** Throws HttpFault. `from`: the URL that redirected here. */
export function judgeUrl(text: string, allowedHosts: readonly string[], from?: string): AllowedUrl {
  const url = URL.parse(text);
  if (url === null) throw new HttpFault(`not a URL: ${text.slice(0, 200)}`);
  const shown = `${url.protocol}//${url.host}${url.pathname}`.slice(0, 300);
  const said = from === undefined ? shown : `${from} leads to ${shown}, which`;
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new HttpFault(`${said} is refused: only http and https are fetched`);
  if (url.username !== '' || url.password !== '')
    throw new HttpFault(`${said} is refused: a URL must not hold a name and a password`);
  const name = nameOf(url);
  if (!allowedHosts.some((entry) => allows(entry, url, name))) {
    throw new HttpFault(`${said} is refused: ${url.host} is not among the hosts in ${SETTING}`);
  }
  if (url.protocol === 'http:' && !isThisMachine(name))
    throw new HttpFault(`${said} is refused: only this machine is asked without encryption (http)`);
  return { url, name, shown };
}

const nameOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');

const isThisMachine = (name: string): boolean =>
  name === 'localhost' || (isIP(name) !== 0 && isLoopback({ address: name, family: isIP(name) } satisfies Address));

/** An entry is a host, or a host and its port; without a port, the scheme's default applies. */
function allows(entry: string, url: URL, name: string): boolean {
  const listed = URL.parse(`${url.protocol}//${entry.trim()}`);
  if (listed === null || listed.pathname !== '/' || listed.search !== '' || listed.username !== '') return false;
  return nameOf(listed) === name && listed.port === url.port;
}
