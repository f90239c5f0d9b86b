import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { inTheEnd, processesWith, type ShellGround, shellGround } from '../../support/shell/shell.ts';

const SECRET = 'sk-not-for-you-5f1c';
const NODE = process.execPath;

let ground: ShellGround;
let confined = false;

beforeAll(async () => {
  const environment = { ...process.env, ANTHROPIC_API_KEY: SECRET, GITHUB_TOKEN: SECRET, LD_AUDIT: SECRET };
  ground = shellGround({ environment });
  confined = (await ground.runner.sandbox()).mode === 'sandboxed';
});
afterAll(async () => {
  await ground.close();
});
beforeEach(({ skip }) => skip(!confined, 'no sandbox on this machine'));

describe('a confined command', () => {
  it('runs in its folder, with its output in order', async () => {
    const result = await ground.run('echo one; echo two >&2; echo three; pwd; echo x > made; exit 7');
    expect(result).toMatchObject({
      exitCode: 7,
      ended: null,
      output: `one\ntwo\nthree\n${ground.clone}\n`,
      sandboxed: true,
    });
    expect(readFileSync(join(ground.clone, 'made'), 'utf8')).toBe('x\n');
  });

  it('runs where the search for the shell takes longer than the library waits', async () => {
    const bin = mkdtempSync(join(tmpdir(), 'autonomous-late-'));
    const path = process.env['PATH'] ?? '';
    // As on a busy machine: the first search is ended after a second.
    const late = `#!/bin/sh\nmkdir ${bin}/once 2>/dev/null && exec sleep 60\necho /bin/sh\n`;
    writeFileSync(join(bin, 'which'), late, { mode: 0o755 });
    process.env['PATH'] = [bin, path].join(delimiter);
    try {
      expect(await ground.run('echo ran')).toMatchObject({ exitCode: 0, output: 'ran\n' });
      expect(existsSync(join(bin, 'once'))).toBe(true);
    } finally {
      process.env['PATH'] = path;
      rmSync(bin, { recursive: true, force: true });
    }
  });

  it('gets its text as it is', async () => {
    const text = `it's "quoted" $HOME \`x\` ! \\ é\t*`;
    expect(await ground.run(`cat <<'END'\n${text}\nEND`)).toMatchObject({ exitCode: 0, output: `${text}\n` });
    const long = "printf '%s' 'it'\\''s' | wc -c #".padEnd(300_000, "'");
    expect(await ground.run(long)).toMatchObject({ exitCode: 0, output: expect.stringMatching(/^\s*4\n$/) });
    expect((await ground.run('if then')).exitCode).toBe(2);
    expect((await ground.run('kill -9 $$')).exitCode).toBe(137);
  });

  it('has an environment of its own, with nothing of ours', async () => {
    const { output } = await ground.run('env', { env: { EXTRA: "it's\nmine" } });
    const names = [...output.matchAll(/^([A-Za-z_]\w*)=/gm)]
      .map((match) => match[1])
      .filter((name) => !/^(LC_|LANG)/.test(name!));
    // Bash and sh export different ones of their own.
    const ofShell = ['OLDPWD', 'PWD', 'SHLVL', '_'];
    expect(names.filter((name) => !ofShell.includes(name!)).sort()).toEqual(
      ['CI', 'EXTRA', 'HOME', 'NO_COLOR', 'PATH', 'TERM', 'TMPDIR'].concat(process.env['TZ'] ? ['TZ'] : []).sort(),
    );
    expect(output).toContain("EXTRA=it's\nmine\n");
    expect(output).not.toContain(homedir());
  });

  it('keeps its home for the next command of the same clone, and no temp folder', async () => {
    const { output } = await ground.run('echo kept > ~/cache; echo x > "$TMPDIR/x"; echo "$TMPDIR"');
    expect(await ground.run('cat ~/cache')).toMatchObject({ output: 'kept\n' });
    expect(existsSync(output.trim())).toBe(false);
  });

  it('cuts the middle of a long output and goes on', async () => {
    const result = await ground.run('seq 1 200000', { maxOutputBytes: 1_000 });
    expect(result).toMatchObject({ ended: null, exitCode: 0 });
    expect(result.output).toMatch(/^1\n2\n3\n[\s\S]*\[… \d+ bytes cut …\][\s\S]*199999\n200000\n$/);
  });

  it('leaves no placeholder in the folders that it may write', async () => {
    const before = readdirSync(ground.clone).sort();
    await ground.run('true');
    expect(readdirSync(ground.clone).sort()).toEqual(before);
  });

  it('says that it could not start, and never starts anyhow', async () => {
    expect(await ground.run('true', { cwd: join(ground.root, 'nowhere') })).toMatchObject({
      ended: 'failed_to_start',
      exitCode: null,
    });
    expect(await ground.run('true', { env: { 'not a name': 'x' } })).toMatchObject({ ended: 'failed_to_start' });
  });

  it('dies with its engine', async () => {
    const mark = `8765.${process.pid}`;
    const script = fileURLToPath(new URL('../../support/process/shellHost.ts', import.meta.url));
    const host = spawn(NODE, [script, ground.root, `setsid sleep ${mark} & sleep ${mark}`], { stdio: 'ignore' });
    expect(await inTheEnd(() => processesWith(`sleep\0${mark}`).length >= 2)).toBe(true);
    host.kill('SIGKILL');
    expect(await inTheEnd(() => processesWith(`sleep\0${mark}`).length === 0)).toBe(true);
  });
});
