/** Where an owner process stops without ending, given in its environment: it may wake long after another one took its place. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { nodeFiles } from '../../../src/adapters/files/files.ts';
import { watchAppends } from './crashPoint.ts';

export interface FreezePoint {
  /**
   * `process`: all of it, by SIGSTOP. `main`: its main thread hangs for good; the worker's goes on once the file `go` is there.
   * `kept`: all of it, while the nth file of kept work is written.
   */
  readonly how: 'process' | 'main' | 'kept';
  /** Where it says `hung`, and hears `go`. */
  readonly folder: string;
  readonly nth: number;
}

const VARIABLE = 'FREEZE_POINT';

export function freezeEnv(point: FreezePoint): Record<string, string> {
  return { [VARIABLE]: JSON.stringify(point) };
}

function freezePoint(): FreezePoint | null {
  const text = process.env[VARIABLE];
  return text === undefined ? null : (JSON.parse(text) as FreezePoint);
}

const BEFORE = 'hang';
export const HUNG = 'hung';
export const GO = 'go';

let over = false;

async function freeze({ how, folder }: FreezePoint): Promise<void> {
  if (over) return;
  over = true;
  if (how === 'main') {
    writeFileSync(join(folder, BEFORE), '');
    while (!existsSync(join(folder, GO))) await wait(5);
    return;
  }
  process.kill(process.pid, 'SIGSTOP');
  // It takes effect a moment later.
  await wait(50);
}

/** In the worker's thread: once the answer that edits `one.txt` is journaled, before it is carried out; or in kept work. */
export function freezeWorker(): void {
  const point = freezePoint();
  if (point === null) return;
  if (point.how !== 'kept') {
    watchAppends('sessions', {
      after: async (text) => {
        if (text.includes('one end') && text.includes('"kind":"reply"')) await freeze(point);
      },
    });
    return;
  }
  const { create } = nodeFiles;
  let left = point.nth;
  Object.assign(nodeFiles, {
    create: async (path: string, data: Uint8Array) => {
      if (path.includes('/attempts/') && --left === 0) await freeze(point);
      return create(path, data);
    },
  });
}

export function freezeMain(): void {
  const point = freezePoint();
  if (point?.how !== 'main') return;
  const look = setInterval(() => {
    if (!existsSync(join(point.folder, BEFORE))) return;
    clearInterval(look);
    writeFileSync(join(point.folder, HUNG), '');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  }, 5);
  look.unref();
}
