/** T12: where bubblewrap is absent, old, broken or lies, nothing runs unattended, and it is said what to do. */
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findExecutable } from '../../src/adapters/platform/executables.ts';
import type { createCommandRunner } from '../../src/adapters/shell/commandRunner.ts';
import { shellGround } from '../support/shell/shell.ts';
import { planted } from '../support/suite/planted.ts';
import { buildWith } from '../support/suite/plantedBug.ts';
import { figure } from '../support/suite/proof.ts';

const REAL = findExecutable('bwrap', process.env['PATH'] ?? '') ?? '/usr/bin/bwrap';
/** `drop`: a pattern of one word, its option; the rest goes to the real one. */
const dropping = (drop: string): string =>
  `#!/bin/bash\nkept=()\nfor word; do case "$word" in ${drop}) ;; *) kept+=("$word");; esac; done\nexec ${REAL} "\${kept[@]}"\n`;

/** What stands on the PATH in place of bubblewrap; null: nothing. */
const DOUBLES: Readonly<Record<string, string | null>> = {
  absent: null,
  'broken: no namespaces':
    '#!/bin/sh\necho "bwrap: Creating new namespace failed: Operation not permitted" >&2\nexit 1\n',
  'old: an option that it does not know': '#!/bin/sh\necho "bwrap: Unknown option --die-with-parent" >&2\nexit 1\n',
  'silent, and content': '#!/bin/sh\nexit 0\n',
  'no program at all': 'not a program\n',
  'a liar that only runs what it is given': '#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done\nshift\nexec "$@"\n',
  'a liar that leaves the network open': dropping('--unshare-net'),
};

let folder: string;
let [tried, open] = [0, 0];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sc-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  figure({ method: 'T12', what: 'doubles of bubblewrap', value: tried, unit: '', aim: null });
  figure({ method: 'T12', what: 'doubles of bubblewrap that failed open', value: open, unit: '', aim: { atMost: 0 } });
});

/** A PATH of everything that a sandbox needs, with the double as bubblewrap. */
function pathWith(double: string | null): string {
  const bin = mkdtempSync(join(folder, 'bin-'));
  for (const name of ['socat', 'rg', 'sh', 'touch', 'node']) {
    const found = findExecutable(name, process.env['PATH'] ?? '');
    if (found !== null) symlinkSync(found, join(bin, name));
  }
  if (double !== null) {
    writeFileSync(join(bin, 'bwrap'), double);
    chmodSync(join(bin, 'bwrap'), 0o755);
  }
  return bin;
}

/** What is wrong with how this runner takes the double; empty: it keeps the promise. */
async function faults(double: string | null, create?: typeof createCommandRunner): Promise<string[]> {
  const ground = shellGround({ environment: { ...process.env, PATH: pathWith(double) } }, create);
  try {
    const state = await ground.runner.sandbox();
    const said = state.mode === 'unconfined' ? state.missing.join(' ') : '';
    const result = await ground.run('touch made');
    return [
      ...(state.mode === 'unconfined' ? [] : ['taken for a sandbox']),
      ...(/install|run:|start|report|approval/.test(said) ? [] : [`says nothing of what to do: ${said}`]),
      ...(result.ended === 'refused' && !result.sandboxed ? [] : [`ran: ${result.ended}`]),
      ...(existsSync(join(ground.clone, 'made')) ? [`left ${readdirSync(ground.clone)}`] : []),
    ];
  } finally {
    await ground.close();
  }
}

test.each(Object.entries(DOUBLES))(
  'bubblewrap is %s: nothing runs, and it is said what to do',
  async (_name, double) => {
    const found = await faults(double);
    tried++;
    if (found.length > 0) open++;
    expect(found).toEqual([]);
  },
);

const BUGS = [
  {
    name: 'no sandbox taken as unconfined',
    double: 'absent',
    file: 'src/adapters/shell/unconfined.ts',
    find: 'if (request.approved) return',
    put: 'if (!request.approved) return',
    by: 'left made',
  },
  {
    name: 'a network namespace left open',
    double: 'a liar that leaves the network open',
    file: 'src/adapters/shell/sandbox/escapeProbe.ts',
    find: "    held('sandbox-network', confined.tcp === 0, 'connecting to a local port', 'tcp'),\n",
    put: '',
    by: 'taken for a sandbox',
  },
];
for (const { name, double, by, ...bug } of BUGS)
  planted(name, async ({ skip }) => {
    skip(double !== 'absent' && !existsSync(REAL), 'no bubblewrap on this machine');
    using built = await buildWith(bug, ['src/adapters/shell/commandRunner.ts']);
    const wrong = (await import(built.program('commandRunner').href)) as {
      createCommandRunner: typeof createCommandRunner;
    };
    expect(await faults(DOUBLES[double] ?? null, wrong.createCommandRunner)).toContain(by);
  });
