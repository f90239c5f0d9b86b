/** A program of its own that runs one command in the background and then waits, to be killed: `backgroundHost.ts <folder> <command>`. */
import { systemClock } from '../../src/adapters/clock.ts';
import { createCommandRunner } from '../../src/adapters/shell/commandRunner.ts';

const [folder = '', command = ''] = process.argv.slice(2);
const runner = createCommandRunner({ clock: systemClock(), privateDir: `${folder}/private` });
const started = await runner.start({
  command,
  cwd: folder,
  writable: [folder],
  env: {},
  home: 'agent',
  session: runner.openSession(),
  signal: new AbortController().signal,
});
process.stdout.write(`${'take' in started ? 'started' : started.why}\n`);
setInterval(() => undefined, 60_000);
