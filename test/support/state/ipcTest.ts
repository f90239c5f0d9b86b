/** Hooks of a test file about owners and clients: a fresh runtime folder for each test, and nothing left open at its end. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { systemClock } from '../../../src/adapters/clock.ts';
import { type Connection, type ConnectOptions, connect } from '../../../src/adapters/ipc/client.ts';
import { type Listening, type ListenOptions, listen } from '../../../src/adapters/ipc/server.ts';
import type { Clock } from '../../../src/shared/clock.ts';

export const clock = systemClock();
/** For what waits some seconds for another process. */
export const fast: Clock = {
  now: () => clock.now(),
  monotonic: () => clock.monotonic() * 30,
  sleep: (ms, signal) => clock.sleep(ms / 30, signal),
  timer: (ms, run) => clock.timer(ms / 30, run),
};
/** For what another part of the same process answers, which may stand still for seconds. */
const patient: Clock = { ...clock, timer: (ms, run) => clock.timer(ms * 30, run) };
export const stateDir = '/somewhere/.autonomous';

/** Of an owner that stays one, and whose problems fail the test. */
export const standing = {
  isOwner: async () => true,
  problem: (text: string) => {
    throw new Error(text);
  },
};

export const until = async (check: () => boolean) => {
  while (!check()) await clock.sleep(5);
};

export interface IpcTest {
  readonly runtimeDir: () => string;
  /** Closes it after this test, the last first. Returns it. */
  readonly closing: <Closable extends { close(): unknown }>(one: Closable) => Closable;
  readonly owner: (more?: Partial<ListenOptions>) => Promise<Listening>;
  readonly client: (onPublished?: ConnectOptions['onPublished']) => Promise<Connection>;
}

export function ipcTest(functions: ListenOptions['functions']): IpcTest {
  let runtimeDir: string;
  let open: { close(): unknown }[];
  beforeEach(() => {
    runtimeDir = mkdtempSync(join(tmpdir(), 'aut-run-'));
    open = [];
  });
  afterEach(async () => {
    for (const each of open.reverse()) await each.close();
    rmSync(runtimeDir, { recursive: true, force: true });
  });
  const closing: IpcTest['closing'] = (one) => {
    open.push(one);
    return one;
  };
  return {
    runtimeDir: () => runtimeDir,
    closing,
    async owner(more) {
      const listening = closing(await listen({ runtimeDir, stateDir, functions, clock: patient, ...more }));
      await listening.open(standing);
      return listening;
    },
    client: async (onPublished) =>
      closing(await connect({ runtimeDir, stateDir, clock: patient, ...(onPublished ? { onPublished } : {}) })),
  };
}
