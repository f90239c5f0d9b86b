/** T12: an engine that a person starts in a session: with keys in its keyring, a terminal, and files that were left open. */
import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { shellGround } from '../support/shell/shell.ts';
import { planted } from '../support/suite/planted.ts';
import { buildWith, type PlantedBug } from '../support/suite/plantedBug.ts';
import { figure } from '../support/suite/proof.ts';
import { compileEscapes, SECRET } from './sandbox/ground.ts';

const HOST = fileURLToPath(new URL('../support/process/shellHost.ts', import.meta.url));
/** Behind a gap: Node keeps the lower ones from its children. */
const LEFT_OPEN = 20;

/** What a command tries; it says in `out` what it heard. */
const PROBES: Readonly<Record<string, (tool: string) => string>> = {
  'a key of the session': (tool) => `${tool} key`,
  'a key of its own, kept for the next': (tool) => `${tool} leave-key`,
  'a file that was left open': () =>
    'for f in $(ls /proc/self/fd); do [ "$f" -gt 2 ] && echo by-a-file >/proc/self/fd/$f; done',
  'a file that was left open, by the number itself': (tool) =>
    `${process.execPath} -e 'for (let fd = 3; fd < 256; fd++) try { require("fs").writeSync(fd, "by-a-file") } catch { continue }'; : ${tool}`,
  'the terminal': () => 'echo on-your-terminal > /dev/tty',
  'the words of the person': (tool) => `${tool} type`,
};

let root: string;
let compiled: string | null;
let confined = false;
beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'ses-')));
  compiled = compileEscapes(root);
  const ground = shellGround();
  confined = (await ground.runner.sandbox()).mode === 'sandboxed';
  await ground.close();
});
afterAll(() => rmSync(root, { recursive: true, force: true }));
beforeEach(({ skip }) => skip(process.platform !== 'linux', 'these probes are of Linux'));

/** Who came through; `module`: the runner that starts the commands, null for none. */
async function through(tool: string, module: string | null): Promise<string[]> {
  const folder = mkdtempSync(join(root, 'clone-'));
  const opened = join(root, `${folder.slice(-6)}.opened`);
  const script = Object.entries(PROBES).map(([name, probe]) => `echo "# ${name}"; (${probe(tool)}) 2>&1`);
  const command = `{ ${script.join('\n')}\n} > out`;
  const start =
    module === null
      ? ['/bin/sh', '-c', `cd '${folder}'\n${command}`]
      : [process.execPath, HOST, folder, command, module];
  const fd = openSync(opened, 'w');
  const gap = Array.from({ length: LEFT_OPEN - 3 }, () => 'ignore' as const);
  const stdio = ['ignore' as const, 'pipe' as const, 'inherit' as const, ...gap, fd];
  const session = spawn(tool, ['session', SECRET, ...start], { stdio });
  closeSync(fd);
  let shown = '';
  session.stdout?.on('data', (part) => (shown += part));
  await new Promise((resolve) => session.once('close', resolve));
  const out = existsSync(join(folder, 'out')) ? readFileSync(join(folder, 'out'), 'utf8') : '';
  expect(out.split('\n').filter((line) => line.startsWith('# '))).toHaveLength(Object.keys(PROBES).length);
  return [
    ...(out.includes(SECRET) ? ['a key'] : []),
    ...(/# a key of its own.*\nGOT/.test(out) ? ['a key of its own'] : []),
    ...(readFileSync(opened, 'utf8') === '' ? [] : ['a file']),
    ...(shown.includes('on-your-terminal') ? ['the terminal'] : []),
    ...(shown.includes('typed-by-us') ? ['words'] : []),
  ];
}

const OURS = new URL('../../src/adapters/shell/commandRunner.ts', import.meta.url).href;

test('a command has no part in the session of whoever started the engine', async ({ skip }) => {
  skip(compiled === null || !confined, 'no compiler or no sandbox on this machine');
  const found = await through(compiled ?? '', OURS);
  const count = Object.keys(PROBES).length;
  figure({
    method: 'T12',
    what: 'hostile inputs tried: probes of the session around the engine',
    value: count,
    unit: '',
    aim: null,
  });
  figure({
    method: 'T12',
    what: 'probes that got into the session',
    value: found.length,
    unit: '',
    aim: { atMost: 0 },
  });
  expect(found).toEqual([]);
});

planted('no sandbox in a session', async ({ skip }) => {
  skip(compiled === null, 'no compiler on this machine');
  const found = await through(compiled ?? '', null);
  // Since Linux 6.2 a machine may refuse the words to everybody, and one without keyrings has none.
  expect(found).toEqual(expect.arrayContaining(['a file', 'the terminal']));
});

const bugs: readonly (PlantedBug & { readonly name: string; readonly by: string })[] = [
  {
    name: 'the keys of the session in the sandbox',
    file: 'src/adapters/shell/sandbox/callFilter.ts',
    find: 'refused.map((call, at): Instruction =>',
    put: 'refused.map(() => 0xffff).map((call, at): Instruction =>',
    by: 'a key',
  },
  {
    name: 'open files handed on',
    file: 'src/adapters/platform/inheritedFiles.ts',
    find: 'if (fds.length === 0)',
    put: 'if (fds.length >= 0)',
    by: 'a file',
  },
];
for (const { by, name, ...bug } of bugs)
  planted(name, async ({ skip }) => {
    skip(compiled === null || !confined, 'no compiler or no sandbox on this machine');
    skip(by === 'a key' && !(await through(compiled ?? '', null)).includes(by), 'no keyrings on this machine');
    using built = await buildWith(bug, ['src/adapters/shell/commandRunner.ts']);
    expect(await through(compiled ?? '', built.program('commandRunner').href)).toContain(by);
  });
