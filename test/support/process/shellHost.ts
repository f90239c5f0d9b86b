/** A program of its own that runs one command, to be killed in the middle, or started in a session of its own: `shellHost.ts <folder> <command> [<module of the runner>]`. */
import { systemClock } from '../../../src/adapters/clock.ts';
import type * as shell from '../../../src/adapters/shell/commandRunner.ts';

const [folder = '', command = '', module = '../../../src/adapters/shell/commandRunner.ts'] = process.argv.slice(2);
const { createCommandRunner } = (await import(module)) as typeof shell;
const runner = createCommandRunner({ clock: systemClock(), privateDir: `${folder}/private` });
await runner.run({
  command,
  cwd: folder,
  writable: [folder],
  env: {},
  home: 'agent',
  network: 'none',
  timeoutMs: 60_000,
  maxOutputBytes: 1_000,
  allowed: [],
  approved: false,
  signal: new AbortController().signal,
});
