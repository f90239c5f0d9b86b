import { chmodSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../../src/adapters/clock.ts';
import { diagnose } from '../../../src/adapters/shell/doctor.ts';
import { diagnoseAll } from '../../../src/app/workspace/diagnose.ts';
import { findWorkspacePaths } from '../../../src/app/workspace/findWorkspacePaths.ts';
import type { KeyFound } from '../../../src/shared/diagnostic.ts';
import { keyOf } from '../../../src/terminal/workspace/doctor.ts';
import { type ShellGround, shellGround } from '../../support/shell/shell.ts';

let ground: ShellGround;
beforeAll(() => {
  ground = shellGround();
});
afterAll(() => ground.close());

it('finds what a run needs, in plain data, without the key', async () => {
  const environment = { ...process.env, ANTHROPIC_API_KEY: 'sk-not-for-you-77' };
  const runtimeDir = join(ground.root, 'r');
  const diagnostics = await diagnose({
    clock: systemClock(),
    runner: ground.runner,
    environment,
    folders: [join(ground.root, 'not', 'yet')],
    runtimeDir,
    key: keyOf(environment),
  });
  const names = diagnostics.map((finding) => finding.name);
  for (const name of ['node', 'git', 'rg', 'disk', 'runtime-dir', 'keep-awake', 'api-key'])
    expect(names).toContain(name);
  expect(diagnostics.find(({ name }) => name === 'node')).toMatchObject({ ok: true });
  expect(diagnostics.find(({ name }) => name === 'api-key')).toMatchObject({ ok: true });
  expect(JSON.stringify(diagnostics)).not.toContain('sk-not-for-you');
  expect(diagnostics.filter(({ ok, fix }) => ok !== (fix === ''))).toEqual([]);
  const state = await ground.runner.sandbox();
  if (state.mode === 'sandboxed') {
    const escapes = ['write-outside', 'kernel', 'secret', 'network', 'socket'].map((name) => `sandbox-${name}`);
    expect(diagnostics.filter(({ name, ok }) => ok && escapes.includes(name))).toHaveLength(escapes.length);
  }
});

it('names what is wrong with a bare machine', async () => {
  const bin = join(ground.root, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'git'), '#!/bin/sh\necho git version 2.20.1\n');
  chmodSync(join(bin, 'git'), 0o755);
  const open = join(ground.root, 'open');
  mkdirSync(open);
  chmodSync(open, 0o755);
  const link = join(ground.root, 'link');
  symlinkSync(open, link);
  const bare = shellGround({ environment: { PATH: bin } });
  try {
    const look = (runtimeDir: string) =>
      diagnose({
        clock: systemClock(),
        runner: bare.runner,
        environment: { PATH: bin },
        folders: [],
        runtimeDir,
        key: keyOf({}),
      });
    const wrong = (await look(open)).filter(({ ok }) => !ok).map(({ name }) => name);
    expect(wrong).toEqual(expect.arrayContaining(['git', 'runtime-dir', 'api-key']));
    if (process.platform === 'linux') expect(wrong).toEqual(expect.arrayContaining(['bwrap', 'socat']));
    expect((await look(link)).find(({ name }) => name === 'runtime-dir')).toMatchObject({ ok: false });
    expect((await look(join(ground.root, 'x'.repeat(99)))).find(({ name }) => name === 'runtime-dir')).toMatchObject({
      ok: false,
    });
  } finally {
    await bare.close();
  }
});

it('looks at the machine as a run sees it: the PATH that it was given counts, not that of this process', async () => {
  const bin = join(ground.root, 'editors');
  mkdirSync(bin);
  writeFileSync(join(bin, 'git'), '#!/bin/sh\necho git version 2.99.1\n');
  for (const name of ['bwrap', 'socat', 'rg']) writeFileSync(join(bin, name), '#!/bin/sh\nexit 1\n');
  for (const name of ['git', 'bwrap', 'socat', 'rg']) chmodSync(join(bin, name), 0o755);
  const places = await findWorkspacePaths(ground.root, join(ground.root, 'jobs'));
  const readOnly = { places, clock: systemClock(), wasmFile: '', env: { PATH: bin } };
  const filed = { provider: 'simulated', credentials: { key: () => null, baseUrl: null } } as const;
  const diagnostics = await diagnoseAll(readOnly, { source: 'stored', short: false }, filed);
  const detail = (name: string) => diagnostics.find((finding) => finding.name === name)?.detail;
  expect(detail('git')).toContain('2.99.1');
  if (process.platform === 'linux') expect(detail('socat')).toBe(join(realpathSync(bin), 'socat'));
});

it.each([
  ['claude-sonnet-5-5 high', true],
  ['claude-sonnet-5-5 hgih', false],
])('a model with an effort behind its name, %j, has a price: %s', async (worker, ok) => {
  const places = await findWorkspacePaths(ground.root, join(ground.root, 'jobs'));
  const readOnly = { places, clock: systemClock(), wasmFile: '', env: process.env };
  const credentials = { key: () => null, baseUrl: null };
  const filed = { provider: 'anthropic', models: { worker }, credentials } as const;
  const diagnostics = await diagnoseAll(readOnly, { source: 'none', short: false }, filed);
  expect(diagnostics.find(({ name }) => name === 'price')).toMatchObject({ ok });
});

it.each<[KeyFound['source'], boolean, RegExp]>([
  ['stored', true, /secret storage/],
  ['environment', true, /ANTHROPIC_API_KEY is set/],
  ['unneeded', true, /not needed/],
  ['environment', true, /is set, but too short to be taken out/],
  ['none', false, /Autonomous: Set API Key/],
  ['none', false, /export ANTHROPIC_API_KEY/],
])('a key that is %s', async (source, ok, said) => {
  const bare = shellGround({ environment: { PATH: '' } });
  try {
    const key = { source, short: said.source.includes('too short') };
    const diagnostics = await diagnose({
      clock: systemClock(),
      runner: bare.runner,
      environment: {},
      folders: [],
      runtimeDir: bare.root,
      key,
    });
    const found = diagnostics.find(({ name }) => name === 'api-key');
    expect(found).toMatchObject({ ok });
    expect(`${found?.detail} ${found?.fix}`).toMatch(said);
  } finally {
    await bare.close();
  }
});
