/** `serve`: the HTTP API of the workspace's tasks, until it is stopped. */
import { failure, messageOf } from '../../shared/errors.ts';
import { type Context, command, print } from '../screen/context.ts';
import { reaching } from '../screen/reach.ts';
import { parseCount, usage } from '../text/parse.ts';
import { visibleLine } from '../text/visible.ts';

export interface ServeOptions {
  readonly port: string;
  readonly allowOrigin?: readonly string[];
  readonly printToken?: true;
}

/** An origin as browsers send it: no path, and no wildcard. */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#*]+$/;

/** Asks the living owner, or is it for as long as it serves, and carries out its jobs and tasks. */
export async function serveVerb(context: Context, options: ServeOptions): Promise<number> {
  const { deps, workspace } = context;
  if (options.printToken === true) {
    const { token, file } = await workspace.api.token();
    print(context, { token, file }, token);
    return 0;
  }
  const serving = {
    port: parseCount(options.port, '--port', 0, 65_535),
    origins: allowed(options.allowOrigin),
    keeps: true,
  };
  const { reach, warn, close } = reaching(context);
  const stop = new AbortController();
  const forget = deps.signals.onStop(() => stop.abort(failure('ABORTED', 'stopped')));
  try {
    const { owner } = await reach();
    const failed = (thrown: unknown): void => warn(messageOf(thrown));
    const api = await workspace.api.serve({ ...serving, reach, failed });
    try {
      print(context, { url: api.url, events: api.events, owner }, listeningText(context, api, owner));
      await aborted(stop.signal);
    } finally {
      await api.close();
    }
    return 0;
  } finally {
    forget();
    await close();
  }
}

function allowed(origins: readonly string[] = []): readonly string[] {
  const wrong = origins.find((origin) => !ORIGIN.test(origin));
  if (wrong === undefined) return origins;
  throw usage(`--allow-origin "${visibleLine(wrong)}" is not an origin`, 'Write e.g. https://example.org.');
}

function listeningText(
  context: Context,
  api: { readonly url: string; readonly events: string },
  owner: boolean,
): string {
  return [
    `Listening on ${api.url}, on this machine alone.`,
    owner
      ? 'This process works on the tasks; Ctrl-C stops durably.'
      : 'Another process works on the tasks; this one asks it.',
    `Events: ${api.events}`,
    `Token:  ${command(context, 'serve --print-token')}`,
  ].join('\n');
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
