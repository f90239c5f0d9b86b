import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/adapters/clock.ts';
import { MAX_REQUEST_BYTES, openSpool, parseRequest, type Spool } from '../../../src/adapters/shell/session/spool.ts';
import type { CommandResult } from '../../../src/engine/session/commandPorts.ts';
import { inTheEnd, type ShellGround, shellGround } from '../../support/shell/shell.ts';
import { fc } from '../../support/suite/property.ts';
import { LONGEST_SILENCE_MS } from '../../support/time/silence.ts';

let ground: ShellGround;
let spool: Spool;
let confined = false;
let asked: string[][] = [];

beforeAll(async () => {
  ground = shellGround();
  // Inside a denied place on purpose: the state folder is one.
  const folder = join(ground.root, 'jobs', 'state', 'spool');
  const handle = async (argv: string[]) => {
    asked.push(argv);
    if (argv[0] === 'throw') throw new Error('the desk is closed');
    return {
      exitCode: Number(argv[1] ?? 0),
      stdout: `out ${argv.join(',')}\nno newline at the end`,
      stderr: 'err\n\n',
    };
  };
  spool = await openSpool(folder, handle, { clock: systemClock(), seconds: LONGEST_SILENCE_MS / 1_000 });
  confined = (await ground.runner.sandbox()).mode === 'sandboxed';
});
afterAll(async () => {
  await spool.close();
  await ground.close();
});

const requests = (): string => spool.writable[0] ?? '';

/** Runs in the sandbox with the script on PATH. */
function session(command: string): Promise<CommandResult> {
  asked = [];
  const env = { PATH: `${spool.bin}:/usr/bin:/bin` };
  return ground.run(command, { env, writable: [ground.clone, ...spool.writable], readable: spool.readable });
}

/** Runs the script by a given shell, without a sandbox. */
function direct(
  shell: readonly string[],
  argv: readonly string[],
  bin = spool.bin,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  asked = [];
  return new Promise((resolve) => {
    const child = spawn(shell[0]!, [...shell.slice(1), join(bin, 'autonomous'), ...argv], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const text = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text.stdout += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (text.stderr += chunk));
    child.on('close', (code) => resolve({ code, ...text }));
  });
}

const shells = [['/bin/sh'], ['/bin/dash'], ['/bin/bash', '--posix'], ['/bin/busybox', 'sh']].filter((shell) =>
  existsSync(shell[0]!),
);

describe.each(shells)('the session command line under %s', (...shell) => {
  const words: readonly string[][] = [
    ['status', '5', 'pending'],
    ['note', '5', 'a "text" with \'quotes\', $HOME, `id`, $(id), \\ and \\n'],
    ['note', '5', 'two\nlines\n\n'],
    ['note', '5', '*', '?', '[a]', '~', '-n', '--', '-e'],
    ['note', '5', '', '  ', '\t', '\u001b[31m', 'größe 😀'],
    ['note', '5', 'x'.repeat(60_000)],
    [],
  ];
  it.each(words.map((argv) => [argv]))('hands over %j as it is', async (argv) => {
    const { code, stdout, stderr } = await direct(shell, argv);
    expect(asked).toEqual([argv]);
    expect(stdout).toBe(`out ${argv.join(',')}\nno newline at the end`);
    expect(stderr).toBe('err\n\n');
    expect(code).toBe(Number(argv[1] ?? 0));
  });
});

describe('the spool', () => {
  it('answers from inside the sandbox, one asker and many', async ({ skip }) => {
    skip(!confined, 'no sandbox on this machine');
    const one = await session(`autonomous note 7 "it's
two lines" '*'; echo "=$?"`);
    expect(asked).toEqual([['note', '7', "it's\ntwo lines", '*']]);
    expect(one.output).toBe("out note,7,it's\ntwo lines,*\nno newline at the enderr\n\n=7\n");
    const long = await session(
      `x() { head -c $1 /dev/zero | tr '\\0' x; }; autonomous note 5 "$(x 60000)" >/dev/null 2>&1; x ${MAX_REQUEST_BYTES} | autonomous note -`,
    );
    expect(asked).toEqual([['note', '5', 'x'.repeat(60_000)]]);
    expect(long).toMatchObject({ exitCode: 2, output: `autonomous: a request may have ${MAX_REQUEST_BYTES} bytes\n` });
    const many = await session(
      'for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do autonomous status 0 $i >/dev/null 2>&1 & done; wait; autonomous throw',
    );
    expect(asked).toHaveLength(21);
    expect(many).toMatchObject({ exitCode: 1, output: 'autonomous: the desk is closed\n' });
  });

  it('lets the sandbox write requests and nothing else', async ({ skip }) => {
    skip(!confined, 'no sandbox on this machine');
    const folder = join(requests(), '..');
    const before = readdirSync(folder, { recursive: true }).sort();
    const { output } = await session(
      `for d in bin replies . ..; do (echo x > ${folder}/$d/forged) 2>/dev/null; done; ls ${join(folder, '..')}`,
    );
    expect(output).toContain('spool\n');
    expect(readdirSync(folder, { recursive: true }).sort()).toEqual(before);
    expect(existsSync(join(folder, '..', 'forged'))).toBe(false);
  });

  it('says 75 when the engine takes too long, and when nobody is there', async () => {
    const hanging = join(ground.root, 'hanging');
    const never = () => new Promise<never>(() => undefined);
    const impatient = await openSpool(hanging, never, { clock: systemClock(), seconds: 1 });
    expect(await direct(['/bin/sh'], ['status'], impatient.bin)).toMatchObject({ code: 75 });
    await impatient.close();
    const folder = join(ground.root, 'lonely');
    const lonely = await openSpool(folder, async () => ({ exitCode: 0, stdout: '', stderr: '' }), {
      clock: systemClock(),
      seconds: 1,
    });
    await lonely.close();
    const alone = spawnSync(join(lonely.bin, 'autonomous'), ['notes', '5'], { encoding: 'utf8' });
    expect(alone).toMatchObject({ status: 75, stdout: '', stderr: 'autonomous: no answer; try again later\n' });
    expect(readdirSync(join(folder, 'requests'))).toEqual([]);
  });

  it('refuses what is no honest request, and goes on', async () => {
    asked = [];
    const place = (name: string) => join(requests(), `${name}.req`);
    const refused = async (name: string) => inTheEnd(() => existsSync(join(requests(), '..', 'replies', name, 'code')));
    symlinkSync('/etc/passwd', place('aaaaaa1'));
    spawnSync('/bin/sh', ['-c', 'mkfifo "$0"', place('aaaaaa2')]);
    writeFileSync(place('aaaaaa3'), Buffer.alloc(MAX_REQUEST_BYTES + 1));
    writeFileSync(place('aaaaaa4'), 'garbage');
    writeFileSync(place('aaaaaa5'), Buffer.from([0xff, 0xfe, 0]));
    writeFileSync(place('aaaaaa6'), 'autonomous-request-1\x001\0');
    mkdirSync(join(place('aaaaaa7'), 'deep'), { recursive: true });
    writeFileSync(place('..'), 'x');
    writeFileSync(place('a b'), 'x');
    for (const at of [1, 2, 3, 4, 5, 6]) expect(await refused(`aaaaaa${at}`)).toBe(true);
    // A folder is neither looked into nor emptied: it could be a link out by then.
    expect(await inTheEnd(() => readdirSync(requests()).join() === 'aaaaaa7.req')).toBe(true);
    expect(readdirSync(place('aaaaaa7'))).toEqual(['deep']);
    expect(asked).toEqual([]);
    expect(await direct(['/bin/sh'], ['status', '0'])).toMatchObject({ code: 0 });
  });

  it('reads back any words, and only whole requests', () => {
    const word = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\0', '').toWellFormed());
    fc.assert(
      fc.property(fc.array(word), fc.nat(), (words, cut) => {
        const bytes = Buffer.from(['autonomous-request-1', String(words.length), ...words, ''].join('\0'));
        expect(parseRequest(bytes)).toEqual(words);
        expect(parseRequest(bytes.subarray(0, cut % bytes.length))).toBeNull();
      }),
    );
  });
});
