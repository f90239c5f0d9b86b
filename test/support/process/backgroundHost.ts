/** A program of its own that runs one command in the background and then waits, to be killed: `backgroundHost.ts <folder> <command>`. */
import { createCommandRunner } from '../../../src/adapters/shell/commandRunner.ts';
import { shellGround } from '../shell/shell.ts';

const [folder = '', command = ''] = process.argv.slice(2);
const ground = shellGround({ privateDir: `${folder}/private` }, createCommandRunner, folder);
const started = await ground.start(command, { session: ground.runner.openSession() });
process.stdout.write(`${'take' in started ? 'started' : started.why}\n`);
setInterval(() => undefined, 60_000);
