/** A paid answer whose asker died before it was in the journal is given again, not bought again. */
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { nodeFiles } from '../../../src/adapters/files/files.ts';
import { keptAnswers } from '../../../src/adapters/files/keptAnswers.ts';
import { lineSeal } from '../../../src/adapters/log/seal.ts';
import type { ModelRequest } from '../../../src/engine/session/gatewayPorts.ts';
import type { FileOps } from '../../../src/engine/state/storePorts.ts';
import { type Script, sse, textEvents } from '../../support/provider/scriptedServer.ts';
import { WIRE_SCRIPTS } from '../../support/provider/wireScripts.ts';
import { setLimits } from '../../support/state/memoryStore.ts';
import { ask, KEY as KEY_OF_USER, outcome, rows, statuses, WIRES, world } from '../../support/world/gatewayWorld.ts';

const KEY = new Uint8Array(32).fill(7);
const first = sse(textEvents('the first'));
const second = sse(textEvents('the second'));

function folderOf(): string {
  return mkdtempSync(join(inject('tempRoot'), 'kept-'));
}

/** As a process that is started anew reads them. */
function answersIn(stateDir: string, more: { ops?: FileOps; problems?: string[]; over?: readonly number[] } = {}) {
  return keptAnswers({
    stateDir,
    ops: more.ops ?? nodeFiles,
    seal: lineSeal(KEY, 'answers'),
    running: (id) => !(more.over ?? []).includes(id),
    problem: (text) => void more.problems?.push(text),
  });
}

const files = (stateDir: string): string[] => readdirSync(join(stateDir, 'answers'));

describe('an answer that was paid', () => {
  test.each(WIRES)('is given to whoever asks the same after a kill, without a call, over the %s wire', async (wire) => {
    const stateDir = folderOf();
    const at = await world([sse(WIRE_SCRIPTS[wire].events)], { answers: answersIn(stateDir), wire });
    const heard = await outcome(ask(at));
    const again = await world([], { answers: answersIn(stateDir), wire });
    expect(await outcome(ask(again))).toEqual(heard);
    expect(heard).toContain('message_stop');
    expect(again.server.seen).toHaveLength(0);
    expect([statuses(at), statuses(again)]).toEqual([['settled'], []]);
  });

  test('is found by the request as it was made, also if a budget had shortened the answer that was asked for', async () => {
    const stateDir = folderOf();
    const at = await world([first], { answers: answersIn(stateDir) });
    await setLimits(at.store, { totalMicroUsd: 100_000 });
    const long = { max_tokens: 16_000 };
    const heard = await outcome(ask(at, long));
    const { body = '' } = at.server.seen.at(-1) ?? {};
    expect(body).toMatch(/"max_tokens":9\d{3},/);
    const again = await world([], { answers: answersIn(stateDir) });
    expect(await outcome(ask(again, long))).toEqual(heard);
    expect(again.server.seen).toHaveLength(0);
    expect(rows(at)[0]?.reserved_micro_usd).toBeLessThanOrEqual(100_000);
  });

  test('is not kept where it quotes the key', async () => {
    const stateDir = folderOf();
    const at = await world([sse(textEvents(`your key is ${KEY_OF_USER}`))], { answers: answersIn(stateDir) });
    expect(await outcome(ask(at))).toContain(KEY_OF_USER);
    expect(readdirSync(stateDir, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())).toEqual([]);
  });

  test('is given once: who asks again could not use it and buys another', async () => {
    const at = await world([first, second], { answers: answersIn(folderOf()) });
    expect(await outcome(ask(at))).toContain('the first');
    expect(await outcome(ask(at))).toContain('the first');
    expect(await outcome(ask(at))).toContain('the second');
    expect(at.server.seen).toHaveLength(2);
  });

  test('is not given to the life that had it: it wants another', async () => {
    const at = await world([first, second], { answers: answersIn(folderOf()) });
    const asker = 'a life';
    const { gateway } = at;
    const living = {
      ...at,
      gateway: {
        ...gateway,
        call: (request: ModelRequest, signal: AbortSignal) => gateway.call({ ...request, asker }, signal),
      },
    };
    expect(await outcome(ask(living))).toContain('the first');
    expect(await outcome(ask(living))).toContain('the second');
    expect(await outcome(ask(at))).toContain('the second');
    expect(statuses(at)).toEqual(['settled', 'settled']);
  });

  test('answers nothing else, and gives way to the next', async () => {
    const stateDir = folderOf();
    const at = await world([first, second], { answers: answersIn(stateDir) });
    await outcome(ask(at));
    const other = { messages: [{ role: 'user', content: 'something else' }] };
    expect(await outcome(ask(at, other))).toContain('the second');
    expect(files(stateDir)).toHaveLength(1);
    const again = await world([first], { answers: answersIn(stateDir) });
    expect(await outcome(ask(again))).toContain('the first');
    expect(again.server.seen).toHaveLength(1);
  });

  test('that came in one piece is kept as well', async () => {
    const stateDir = folderOf();
    const whole = JSON.stringify({
      type: 'message',
      role: 'assistant',
      content: [],
      usage: { input_tokens: 1, output_tokens: 1 },
    });
    const script: Script = (response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(whole);
    };
    const at = await world([script], { answers: answersIn(stateDir) });
    await outcome(ask(at, { stream: false }));
    const again = await world([], { answers: answersIn(stateDir) });
    expect(await outcome(ask(again, { stream: false }))).toBe(whole);
  });
});

describe('what is not kept', () => {
  test('an answer that broke off', async () => {
    const stateDir = folderOf();
    const torn = sse(textEvents('the first').slice(0, 3));
    const at = await world([torn, second], { answers: answersIn(stateDir) });
    await outcome(ask(at));
    expect(await outcome(ask(at))).toContain('the second');
  });

  test('an answer under another key, or altered by hand, is not believed', async () => {
    const stateDir = folderOf();
    const at = await world([first], { answers: answersIn(stateDir) });
    await outcome(ask(at));
    const [name = ''] = files(stateDir);
    const path = join(stateDir, 'answers', name);
    writeFileSync(path, readFileSync(path, 'utf8').replace('the first', 'a forgery'));
    const again = await world([second], { answers: answersIn(stateDir) });
    expect(await outcome(ask(again))).toContain('the second');
  });

  test('answers of sessions that are over are removed', async () => {
    const stateDir = folderOf();
    const answers = answersIn(stateDir, { over: [41] });
    await answers.keep({ sessionId: 41, body: 'asked' }, { type: 'text/plain', text: 'of a session that is over' });
    await answers.keep({ sessionId: 42, body: 'asked' }, { type: 'text/plain', text: 'of one that goes on' });
    expect(files(stateDir)).toEqual(['42.json']);
  });
});

test('a disk that takes nothing costs the keeping, not the answer', async () => {
  const problems: string[] = [];
  const full: FileOps = { ...nodeFiles, create: () => Promise.reject(new Error('ENOSPC: no space left')) };
  const at = await world([first], { answers: answersIn(folderOf(), { ops: full, problems }) });
  expect(await outcome(ask(at))).toContain('the first');
  expect(problems).toEqual(['an answer could not be kept: ENOSPC: no space left']);
  expect(statuses(at)).toEqual(['settled']);
});
