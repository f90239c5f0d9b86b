/** T12: what a command in the sandbox cannot reach of the job that it works for. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/adapters/clock.ts';
import { createCommandRunner } from '../../src/adapters/shell/commandRunner.ts';
import { buildWith } from '../support/plantedBug.ts';
import { figure } from '../support/proof.ts';

/** By name: where a job's clone is the folder of the command. */
const PROBES: Readonly<Record<string, string>> = {
  'write HEAD': 'echo x > ../git/HEAD',
  'write a hook': 'mkdir -p ../git/hooks; echo x > ../git/hooks/post-checkout',
  'write the configuration': 'echo "[core]" >> ../git/config',
  'write by a link': 'ln -s ../git way; echo x > way/HEAD',
  'write by /proc': 'echo x > /proc/self/cwd/../git/HEAD',
  'rename another over it': 'mkdir mine; mv -T mine ../git',
  'rename its parent': 'mv ../../a ../../b',
  'take it away': 'rm -rf ../git',
  'read a secret of it': 'cat ../git/secret',
  'read it by a hard link': 'ln ../git/secret hard; cat hard',
  'write the state': 'echo x > ../../../.autonomous/events.jsonl',
  'read the state': 'cat ../../../.autonomous/secret',
};
const SECRET = 'sk-not-for-a-command-81';
const KEPT = [
  'jobs/a/git/HEAD',
  'jobs/a/git/config',
  'jobs/a/git/secret',
  '.autonomous/events.jsonl',
  '.autonomous/secret',
];

/** Names of the probes that got what they went for; null: there is no sandbox on this machine. */
async function reached(create: typeof createCommandRunner): Promise<string[] | null> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'sb-')));
  const clone = join(root, 'jobs', 'a', 'tree');
  for (const folder of [clone, join(root, 'jobs', 'a', 'git'), join(root, '.autonomous')])
    mkdirSync(folder, { recursive: true });
  for (const file of KEPT) writeFileSync(join(root, file), SECRET);
  const runner = create({ clock: systemClock(), denyRead: [join(root, 'jobs'), join(root, '.autonomous')] });
  try {
    if ((await runner.sandbox()).mode !== 'sandboxed') return null;
    const found: string[] = [];
    const request = {
      cwd: clone,
      writable: [clone],
      home: 'agent',
      env: {},
      network: 'none',
      timeoutMs: 20_000,
      maxOutputBytes: 10_000,
      allowed: [],
      approved: false,
      signal: new AbortController().signal,
    } as const;
    for (const [name, command] of Object.entries(PROBES)) {
      const { output, sandboxed } = await runner.run({ ...request, command });
      const whole = KEPT.every(
        (file) => existsSync(join(root, file)) && readFileSync(join(root, file), 'utf8') === SECRET,
      );
      const hook = existsSync(join(root, 'jobs', 'a', 'git', 'hooks'));
      if (!whole || hook || !sandboxed || output.includes(SECRET)) found.push(name);
    }
    return found;
  } finally {
    await runner.close();
    rmSync(root, { recursive: true, force: true });
  }
}

test("a job's private git directory and the state are out of reach", async ({ skip }) => {
  const found = await reached(createCommandRunner);
  if (found === null) return skip('no sandbox on this machine');
  const count = Object.keys(PROBES).length;
  figure({ method: 'T12', what: 'hostile inputs tried: probes of git and state', value: count, unit: '', aim: null });
  figure({ method: 'T12', what: 'probes that got through', value: found.length, unit: '', aim: { atMost: 0 } });
  expect(found).toEqual([]);
});

describe('the proof itself', () => {
  test("planted: the clone's git directory is writable in the sandbox: is caught", async ({ skip }) => {
    const bug = {
      file: 'src/adapters/shell/confined.ts',
      find: 'const writable = [...stay.writable.map((path) => resolve(path)),',
      put: "const writable = [...stay.writable.flatMap((path) => [resolve(path), resolve(path, '..', 'git')]),",
    };
    using built = await buildWith(bug, ['src/adapters/shell/commandRunner.ts']);
    const planted = (await import(built.program('commandRunner').href)) as {
      createCommandRunner: typeof createCommandRunner;
    };
    const found = await reached(planted.createCommandRunner);
    if (found === null) return skip('no sandbox on this machine');
    expect(found).toEqual(expect.arrayContaining(['write HEAD', 'write a hook', 'write by a link']));
  });
});
