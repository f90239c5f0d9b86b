/** Which shell runs commands, and what it says of itself. */
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findExecutable } from '../../../src/adapters/platform/executables.ts';
import { type ShellGround, shellGround } from '../../support/shell/shell.ts';

const bash = findExecutable('bash', process.env['PATH'] ?? '');
let confined = false;

describe('where bash is installed', () => {
  let ground: ShellGround;
  beforeAll(async () => {
    ground = shellGround();
    confined = (await ground.runner.sandbox()).mode === 'sandboxed';
  });
  afterAll(() => ground.close());
  beforeEach(({ skip }) => {
    skip(!confined, 'no sandbox on this machine');
    skip(bash === null, 'no bash on this machine');
  });

  it('runs bash, for the agent and for the engine', async () => {
    const script = `words=(a b); [[ \${words[1]} == b* ]] && echo "$0 $#"; sleep 60 & kill %1 && echo killed`;
    for (const home of ['agent', 'engine', 'reader'] as const)
      expect(await ground.run(script, { home })).toMatchObject({ exitCode: 0, output: 'bash 0\nkilled\n' });
  });

  it('names the line of a fault, and no file of ours', async () => {
    const { output } = await ground.run('true\nno-such-program\n[ 1 -eq x ]');
    expect(output).toMatch(/^bash: line 2: no-such-program: command not found\nbash: line 3: \[: x: /);
    expect(await ground.run('if then')).toMatchObject({ exitCode: 2, output: expect.stringMatching(/^bash: /) });
  });

  it('gives the exit code of the command, and nothing beside its output', async () => {
    expect(await ground.run('kill -9 $$')).toMatchObject({ exitCode: 137, output: '' });
    expect(await ground.run('exit 7')).toMatchObject({ exitCode: 7, output: '' });
    expect(await ground.run('exec sh -c "exit 3"')).toMatchObject({ exitCode: 3, output: '' });
    expect(await ground.run('trap "echo bye" EXIT; exit 4')).toMatchObject({ exitCode: 4, output: 'bye\n' });
  });

  it.runIf(process.platform === 'linux')('says what the command left running, which ends with it', async () => {
    const mark = `8642.${process.pid}`;
    const { exitCode, output, notes } = await ground.run(`sleep ${mark} & setsid sleep ${mark} & echo started`);
    expect({ exitCode, output }).toEqual({ exitCode: 0, output: 'started\n' });
    expect(notes).toEqual(['2 processes that the command left running were ended with it']);
    expect((await ground.run(`sleep ${mark} & exit 3`)).notes).toEqual([
      '1 process that the command left running was ended with it',
    ]);
    expect((await ground.run('true & true & wait')).notes).toBeUndefined();
  });

  it.runIf(process.platform === 'linux')('does not believe what the command says of it', async () => {
    // Beside the file of its own text.
    const file = `"\${_script%/*}/left"`;
    for (const lie of [`mkfifo ${file}`, `ln -s /etc/passwd ${file}`, `seq 1 9999 > ${file}`, `echo x > ${file}`])
      expect(await ground.run(lie)).toMatchObject({ exitCode: 0 });
    expect((await ground.run(`mkfifo ${file}`)).notes).toBeUndefined();
  });
});

it('runs sh where bash is not installed', async ({ skip }) => {
  const bin = mkdtempSync(join(tmpdir(), 'autonomous-no-bash-'));
  for (const name of ['bwrap', 'socat', 'sh', 'which', 'node']) {
    const file = findExecutable(name, process.env['PATH'] ?? '');
    if (file !== null) symlinkSync(file, join(bin, name));
  }
  const ground = shellGround({ environment: { ...process.env, PATH: bin } });
  try {
    skip((await ground.runner.sandbox()).mode !== 'sandboxed', 'no sandbox on this machine');
    expect(ground.runner.openSession().shell).toBe('sh');
    expect(await ground.run(`echo "\${BASH_VERSION:-none}"; exit 5`)).toMatchObject({ exitCode: 5, output: 'none\n' });
  } finally {
    await ground.close();
    rmSync(bin, { recursive: true });
  }
});
