/** The gateway of Portkey, as a company runs it, in a process of its own. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(
  new URL('../../../node_modules/@portkey-ai/gateway/build/start-server.js', import.meta.url),
);
/** Makes its program listen on a free port of the loopback address. */
const START = fileURLToPath(new URL('./portkeyStart.cjs', import.meta.url));

export interface Portkey extends AsyncDisposable {
  readonly url: string;
}

export async function startPortkey(): Promise<Portkey> {
  const child = fork(PROGRAM, ['--headless', '--port=0'], {
    execArgv: ['--require', START],
    env: { PATH: process.env['PATH'] ?? '' },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const ended = once(child, 'exit');
  const started = await Promise.race([once(child, 'message'), ended.then(() => null)]);
  if (started === null) throw new Error('the gateway of Portkey ended at its start');
  return {
    url: `http://127.0.0.1:${String(started[0])}`,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
