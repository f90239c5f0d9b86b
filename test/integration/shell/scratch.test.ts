/** The folders that the commands of one session share. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/adapters/clock.ts';
import { createCommandRunner } from '../../../src/adapters/shell/commandRunner.ts';
import { needsMachinesTmp } from '../../../src/adapters/shell/sandbox/ownTmp.ts';
import type { CommandSession } from '../../../src/engine/session/commandPorts.ts';
import { type ShellGround, shellGround } from '../../support/shell/shell.ts';

const privateDir = (root: string): string => join(root, 'private');

let ground: ShellGround;
let session: CommandSession;

const open = (root: string): void => {
  const home = join(root, 'home');
  mkdirSync(home);
  ground = shellGround({ privateDir: privateDir(root), home }, createCommandRunner, root);
};
const run = async (command: string, of: CommandSession = session) => ground.run(command, { session: of });

/** `/var/tmp`: with everything outside of `/tmp`, `/tmp` itself is the scratch folder. */
describe.each([
  ['/var/tmp', true],
  ['/tmp', false],
])('a job in %s', (parent, isTmp) => {
  let missing: string | null = null;
  beforeAll(async () => {
    if (process.platform !== 'linux' || !existsSync(parent)) missing = 'these folders are of Linux';
    open(realpathSync(mkdtempSync(join(missing === null ? parent : tmpdir(), 'autonomous-scratch-'))));
    if (isTmp && needsMachinesTmp({ environment: process.env, readable: [] })) missing = 'this checkout lies in /tmp';
    if ((await ground.runner.sandbox()).mode !== 'sandboxed') missing = 'no sandbox on this machine';
  });
  afterAll(() => ground.close());
  beforeEach(({ skip }) => {
    skip(missing !== null, missing ?? '');
    session = ground.runner.openSession();
  });

  it('has one temp folder for all commands of a session, and none of another session', async () => {
    const first = await run('echo "$TMPDIR"; echo kept > "$TMPDIR/a.log"; mktemp > /dev/null && echo made');
    expect(first.output).toBe(`${isTmp ? '/tmp' : session.tmp}\nmade\n`);
    expect(await run('cat "$TMPDIR/a.log"')).toMatchObject({ exitCode: 0, output: 'kept\n' });
    expect(readFileSync(join(session.tmp, 'a.log'), 'utf8')).toBe('kept\n');

    const other = ground.runner.openSession();
    expect((await run('ls -A "$TMPDIR"', other)).output).toBe('');
    expect((await run(`cat ${session.tmp}/a.log`, other)).exitCode).not.toBe(0);
  });

  it('is removed with its session, and after a crash with the next start', async () => {
    await run('echo x > "$TMPDIR/x"');
    await session.close();
    expect(existsSync(session.tmp)).toBe(false);
    const crashed = ground.runner.openSession();
    expect(existsSync(crashed.tmp)).toBe(true);
    const next = createCommandRunner({ clock: systemClock(), privateDir: privateDir(ground.root) });
    expect(existsSync(crashed.tmp)).toBe(false);
    await next.close();
  });

  it('shows nothing of the /tmp of the machine, or says where to write instead', async () => {
    const file = `/tmp/autonomous-of-machine-${process.pid}`;
    writeFileSync(file, 'theirs');
    const { output, notes } = await run(`cat ${file}; echo mine > ${file}`);
    expect(readFileSync(file, 'utf8')).toBe('theirs');
    rmSync(file);
    if (isTmp) {
      expect(output).toMatch(/No such file/);
      expect(await run(`cat ${file}`)).toMatchObject({ output: 'mine\n' });
      expect(notes).toBeUndefined();
    } else {
      expect(output).toMatch(/Read-only file system/);
      expect(notes).toEqual([expect.stringContaining('write to $TMPDIR')]);
    }
  });

  it('says so to a command in the background too', async () => {
    const file = `/tmp/autonomous-in-background-${process.pid}`;
    const command = await ground.start(`echo mine > ${file}`, { session });
    if ('take' in command) while (command.end === null) await command.changed();
    expect(existsSync(file)).toBe(false);
    const notes = isTmp ? [] : [expect.stringContaining('write to $TMPDIR')];
    expect(command).toMatchObject({ end: { exitCode: isTmp ? 0 : expect.any(Number), notes } });
  });

  it('keeps a long output where the commands of its session read it, and none writes it', async () => {
    const long = await ground.run('seq 1 5000', { session, keepOver: 1_000, maxOutputBytes: 2_000 });
    const { path, ...kept } = long.kept ?? { path: '' };
    expect(kept).toEqual({ bytes: 23_893, isWhole: true });
    expect(long.output).toContain('bytes cut');
    expect(readFileSync(path, 'utf8')).toMatch(/^1\n2\n[\s\S]*\n2500\n[\s\S]*\n5000\n$/);
    expect((await run(`sed -n 2500p ${path}; echo x >> ${path}`)).output).toMatch(/^2500\n.*Read-only/);
    expect((await run(`cat ${path}`, ground.runner.openSession())).exitCode).not.toBe(0);
    expect((await ground.run('seq 1 9', { session, keepOver: 1_000 })).kept).toBeUndefined();
  });

  it('is of its own for a command without a session', async () => {
    const { output } = await ground.run('echo x > "$TMPDIR/x"; cat "$TMPDIR/x"');
    expect(output).toBe('x\n');
    expect((await ground.run('ls -A "$TMPDIR"')).output).toBe('');
  });
});

it('is there without a sandbox, too', async () => {
  ground = shellGround({ confine: false });
  session = ground.runner.openSession();
  const approved = async (command: string) => ground.run(command, { session, approved: true });
  await approved('echo kept > "$TMPDIR/a"');
  expect(await approved('cat "$TMPDIR/a"')).toMatchObject({ output: 'kept\n', sandboxed: false });
  await ground.close();
});
