import { beforeEach, expect, it } from 'vitest';
import { type Background, backgroundCommands } from '../../../../../src/engine/job/work/background.ts';
import type { BackgroundCommand, CommandSession } from '../../../../../src/engine/session/commandPorts.ts';
import { FakeClock } from '../../../../support/time/fakeClock.ts';

/** A command that does what the test says. */
class Fake implements BackgroundCommand {
  end: BackgroundCommand['end'] = null;
  #unread = '';
  #news = Promise.withResolvers<void>();
  take(): string {
    const unread = this.#unread;
    this.#unread = '';
    return unread;
  }
  whole(): undefined {
    return undefined;
  }
  changed(): Promise<void> {
    return this.#news.promise;
  }
  async stop(): Promise<void> {
    this.ends(null, 'aborted');
  }
  prints(text: string): void {
    this.#unread += text;
    this.#wake();
  }
  ends(exitCode: number | null, ended: 'aborted' | null = null): void {
    this.end ??= { exitCode, ended, notes: [] };
    this.#wake();
  }
  #wake(): void {
    this.#news.resolve();
    this.#news = Promise.withResolvers<void>();
  }
}

const session = { sharesNetwork: () => true } as CommandSession;
const signal = new AbortController().signal;
let commands: Fake[];
let clock: FakeClock;
let background: Background;

const open = (first = 1): void => {
  commands = [];
  clock = new FakeClock();
  const start = async () => {
    const command = new Fake();
    commands.push(command);
    return command;
  };
  background = backgroundCommands(clock, () => session, start, first);
};
beforeEach(() => open());

const look = (id: number, more: { readonly waitMs?: number; readonly stop?: boolean } = {}) =>
  background.look(id, { waitMs: 0, stop: false, signal, ...more });

it('numbers them, after those of an earlier process', async () => {
  expect(await background.start('a')).toEqual({ id: 1, sharesNetwork: true });
  expect(await background.start('b')).toEqual({ id: 2, sharesNetwork: true });
  open(4);
  expect(await background.start('c')).toEqual({ id: 4, sharesNetwork: true });
  expect(await look(3)).toMatchObject({ end: { why: 'this session was interrupted and resumed' } });
  expect(await look(5)).toBeNull();
});

it('gives what came since the last look, and waits for more if it is to', async () => {
  await background.start('a');
  commands[0]?.prints('one\n');
  expect(await look(1)).toEqual({ output: 'one\n', kept: undefined, seconds: 0, end: null });
  expect(await look(1)).toMatchObject({ output: '' });
  const waiting = look(1, { waitMs: 5_000 });
  commands[0]?.prints('two\n');
  expect(await waiting).toMatchObject({ output: 'two\n' });
  const inVain = look(1, { waitMs: 5_000 });
  clock.advance(5_000);
  expect(await inVain).toMatchObject({ output: '', seconds: 5, end: null });
  const last = look(1, { waitMs: 5_000 });
  commands[0]?.ends(7);
  expect(await last).toMatchObject({ output: '', end: { exitCode: 7, ended: null, why: null } });
});

it('stops one, and says once of each other that it ended', async () => {
  for (const command of ['a', 'b', 'c']) await background.start(command);
  expect(await look(1, { stop: true })).toMatchObject({ end: { ended: 'aborted' } });
  commands[1]?.ends(1);
  expect(background.news()).toEqual(['background command 2 ended: exit code 1']);
  expect(background.news()).toEqual([]);
  expect(background.isBusy()).toBe(true);
  await background.stopAll('the attempt ended');
  expect(background.isBusy()).toBe(false);
  expect(background.news()).toEqual(['background command 3 ended: the attempt ended']);
  expect(await look(3)).toMatchObject({ end: { why: 'the attempt ended' } });
});

it('bounds how many run, and how many a session starts', async () => {
  const ids: number[] = [];
  for (let nth = 1; nth <= 8; nth++) {
    const started = await background.start('x');
    if ('id' in started) ids.push(started.id);
  }
  expect(ids).toHaveLength(8);
  expect(await background.start('x')).toEqual({ refused: '8 background commands run: stop one first' });
  for (let nth = 9; nth <= 100; nth++) {
    commands.at(-1)?.ends(0);
    expect(await background.start('x')).toMatchObject({ id: nth });
  }
  commands.at(-1)?.ends(0);
  expect(await background.start('x')).toMatchObject({ refused: expect.stringContaining('100') });
});

it('says why one was not started', async () => {
  background = backgroundCommands(
    clock,
    () => session,
    async () => ({ ended: 'refused', why: 'no sandbox' }),
    1,
  );
  expect(await background.start('x')).toEqual({ refused: 'no sandbox' });
  expect(await background.look(1, { waitMs: 0, stop: false, signal })).toBeNull();
});
