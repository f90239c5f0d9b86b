/** The user's connections: presets, faults with their lines, changes that keep the rest of the file, and checks that are valid for a day. */
import { chmodSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  connectionPresets,
  knownConnections,
  ownConnections,
  withPreset,
  writeConnection,
} from '../../../../src/adapters/userData/knownConnections.ts';
import { keptChecks } from '../../../../src/adapters/userData/modelChecks.ts';
import { connectionEntry } from '../../../../src/shared/model/connections.ts';
import { FakeClock } from '../../../support/time/fakeClock.ts';

const folder = (): string => mkdtempSync(join(tmpdir(), 'autonomous-test-'));

describe('an entry', () => {
  it('named as a preset needs nothing else', () => {
    expect(withPreset('ollama', {})).toMatchObject({
      wire: 'messages',
      baseUrl: 'http://127.0.0.1:11434',
      auth: 'none',
      preset: 'ollama',
    });
  });

  it('has a bearer key unless it says otherwise', () => {
    const server = { wire: 'chat', baseUrl: 'https://models.example' } as const;
    expect(withPreset('mine', { ...server, keyEnv: 'MY_KEY' })).toMatchObject({ auth: 'bearer', preset: null });
    expect(withPreset('mine', server)).toMatchObject({ auth: 'none' });
  });

  it.each([
    ['no server', { preset: 'gateway' }, 'it has no baseUrl'],
    ['no wire', { baseUrl: 'https://models.example' }, 'it has no wire'],
    [
      'an address that ends in the part that the wire adds',
      { wire: 'messages' as const, baseUrl: 'https://llm.example/v1' },
      'leave out the /v1',
    ],
    [
      'half an address of a cloud',
      { preset: 'foundry', baseUrl: 'https://mine.services.ai.azure.com' },
      'its address has the form https://RESOURCE.services.ai.azure.com/anthropic',
    ],
    [
      'a client certificate without TLS',
      { wire: 'chat' as const, baseUrl: 'http://127.0.0.1:1', clientCert: '/a', clientKey: '/b' },
      'needs an address that begins with https',
    ],
    [
      'a whole call as its address',
      { wire: 'chat' as const, baseUrl: 'https://x.example/v1/chat/completions' },
      'leave it out',
    ],
    ['an unknown preset', { preset: 'nobody' }, 'there is no preset nobody'],
  ])('with %s is not complete', (_, entry, lacks) => {
    expect(withPreset('mine', entry)).toMatchObject({ lacks: expect.stringContaining(lacks) });
  });
});

it.each([
  ['foundry', 'https://mine.services.ai.azure.com/anthropic'],
  ['vertex', 'https://aiplatform.googleapis.com/v1/projects/mine/locations/us-east5'],
  ['bedrock', 'https://llm.company.example/bedrock'],
])('%s takes %s', (preset, baseUrl) => {
  expect(withPreset('mine', { preset, baseUrl })).toMatchObject({ baseUrl });
});

it('every preset has an address without a password, or none, and a variable that commands do not receive', () => {
  const presets = Object.entries(connectionPresets());
  expect(presets.length).toBeGreaterThanOrEqual(16);
  for (const [name, { wire, baseUrl, keyEnv }] of presets) {
    const entry = { wire, ...(baseUrl === null ? {} : { baseUrl }), ...(keyEnv === null ? {} : { keyEnv }) };
    expect(connectionEntry.safeParse(entry).success, name).toBe(true);
  }
});

it.each([
  ['a: {wire: chat, baseUrl: "https://me:secret@models.example/v1"}', 'line 1: a: baseUrl: it must be https'],
  ['a: {wire: chat, baseUrl: "http://models.example/v1"}', 'line 1: a: baseUrl: it must be https'],
  ['a: {preset: bedrock, baseUrl: "https://bedrock-runtime.REGION.amazonaws.com/anthropic"}', 'replace REGION'],
  ['a: {keyenv: MY_KEY}', 'line 1: a: keyenv: Unrecognized key: "keyenv" (did you mean keyEnv?)'],
  ['a: {headers: {Content-Length: "3"}}', 'each request sets Content-Length itself'],
  ['a: {wire: telepathy}', 'line 1: a: wire: '],
  ['a: {keyEnv: HOME}', 'line 1: a: keyEnv: the name of a key’s variable contains KEY'],
  ['a: {}\nb: {}\na: {}', 'line 3: duplicate key'],
  ['simulated: {}', 'line 1: simulated: simulated has a meaning of its own here'],
  ['own-account: {}', 'has a meaning of its own here'],
  ['anthropic: {}', 'has a meaning of its own here'],
  ['Team: {}', 'lower case letters'],
  ['a:\n  prices:\n    m: [{upTo: 10, input: 1, output: 1}]', 'line 3: a: prices.m: tiers rise'],
  ['a:\n  prices: {m: {input: -1, output: 1}}', 'line 2: a: prices.m'],
  ['a: {headers: {"X-Team": "two\\nlines"}}', 'no value of a header'],
  ['- a', 'connections.yaml line 1: it is a mapping of names to connections'],
])('%s has a fault with its line, and no secret in it', (text, fault) => {
  const { faults } = ownConnections(text);
  expect(faults.join('\n')).toContain(fault);
  expect(faults.join('\n')).not.toContain('secret');
});

describe('a change', () => {
  it('keeps comments and other entries, and is private', () => {
    const dir = folder();
    const file = join(dir, 'connections.yaml');
    writeFileSync(file, '# ours\nteam: # of the company\n  preset: gateway\n  baseUrl: https://llm.example\n', {
      mode: 0o600,
    });
    writeConnection(dir, 'ollama', {});
    expect(readFileSync(file, 'utf8')).toContain('# of the company');
    expect(Object.keys(knownConnections(dir).connections)).toEqual(['team', 'ollama']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    writeConnection(dir, 'team', null);
    expect(Object.keys(knownConnections(dir).connections)).toEqual(['ollama']);
  });

  it('of a file with a fault is refused, and the file stays', () => {
    const dir = folder();
    const file = join(dir, 'connections.yaml');
    writeFileSync(file, 'a: [', { mode: 0o600 });
    expect(() => writeConnection(dir, 'ollama', {})).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
    expect(readFileSync(file, 'utf8')).toBe('a: [');
  });

  it('a file that others may write is not read', () => {
    const dir = folder();
    const file = join(dir, 'connections.yaml');
    writeFileSync(file, 'ollama: {}\n');
    chmodSync(file, 0o666);
    expect(knownConnections(dir)).toMatchObject({ connections: {}, faults: [expect.stringContaining('chmod 600')] });
  });
});

it('a check is valid for a day, and not in the future', async () => {
  const clock = new FakeClock();
  const checks = keptChecks(folder(), clock);
  expect(await checks.find('a')).toBeNull();
  await checks.keep('a', { context: 65_536 });
  expect([await checks.find('a'), await checks.find('b')]).toEqual([{ context: 65_536 }, null]);
  clock.advance(86_399_000);
  expect(await checks.find('a')).not.toBeNull();
  clock.advance(1_000);
  expect(await checks.find('a')).toBeNull();
});
