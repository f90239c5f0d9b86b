import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { END_MS, endProcess, type StoppedProcess, stopSignals } from '../../../../src/app/terminal/stopSignals.ts';
import { FakeClock } from '../../../support/time/fakeClock.ts';

function fakeProcess() {
  const signals = new EventEmitter();
  const exits: (number | undefined)[] = [];
  const of: StoppedProcess = {
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    on: (signal, run) => signals.on(signal, run),
    off: (signal, run) => signals.off(signal, run),
    exit: (code) => exits.push(code),
  };
  return { of, exits, signal: (name: 'SIGINT' | 'SIGTERM') => signals.emit(name) };
}

test.each(['SIGINT', 'SIGTERM'] as const)(
  'a process that hangs after %s exits in time, also once nobody listens for signals',
  (name) => {
    const clock = new FakeClock();
    const { of, exits, signal } = fakeProcess();
    const heard: number[] = [];
    const forget = stopSignals(clock, of).onStop((times) => heard.push(times));
    clock.advance(END_MS);
    expect(exits).toEqual([]);
    signal(name);
    forget();
    expect(heard).toEqual([1]);
    clock.advance(END_MS - 1);
    expect(exits).toEqual([]);
    clock.advance(1);
    expect(exits).toEqual([1]);
    expect(END_MS).toBeLessThan(5_000);
  },
);

test('a second signal does not prolong the time', () => {
  const clock = new FakeClock();
  const { of, exits, signal } = fakeProcess();
  stopSignals(clock, of).onStop(() => undefined);
  signal('SIGINT');
  clock.advance(END_MS - 1);
  signal('SIGINT');
  clock.advance(1);
  expect(exits).toEqual([1]);
});

test('a verb that is done exits with its code, whatever holds the process open', async () => {
  const { of, exits } = fakeProcess();
  endProcess(3, of);
  await new Promise(setImmediate);
  expect(exits).toEqual([3]);
});
