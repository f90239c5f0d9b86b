/** A process to be killed while it talks with a program: argv is a mark to know that by, a folder, and `confined` or `open`. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../../src/adapters/clock.ts';
import { createCommandRunner } from '../../../src/adapters/shell/commandRunner.ts';

const [mark = '', folder = '', where = ''] = process.argv.slice(2);
const clone = join(folder, 'clone');
mkdirSync(clone, { recursive: true });
const runner = createCommandRunner({
  clock: systemClock(),
  privateDir: join(folder, 'private'),
  confine: where === 'confined',
});
const talk = await runner.converse({
  // It hears no hang-up, reads no input, and half of it leaves its session.
  argv: ['sh', '-c', `trap '' HUP TERM PIPE; setsid sleep ${mark} & sleep ${mark}`],
  cwd: clone,
  writable: [clone],
  env: {},
  files: [{ path: '.agent/token', content: 'secret', secret: true }],
  localPort: 40_009,
  hosts: [],
  maxBytes: 1_000_000,
  allowed: [],
  approved: true,
  signal: new AbortController().signal,
});
process.stdout.write('home' in talk ? `${talk.home}\n` : `${talk.why}\n`);
setInterval(() => undefined, 60_000);
