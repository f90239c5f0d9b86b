/** A program of its own that runs one command, to be killed in the middle: `shellHost.ts <folder> <command>`. */
import { systemClock } from '../../src/adapters/clock.ts';
import { createCommandRunner } from '../../src/adapters/shell/commandRunner.ts';

const [folder = '', command = ''] = process.argv.slice(2);
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
