/** Interleavings, one by one: something else happens right before the n-th call of the file system, for every n. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const CALLS = [
  ...['access', 'chmod', 'copyFile', 'link', 'lstat', 'mkdir', 'open', 'opendir', 'readFile', 'readdir', 'readlink'],
  ...['realpath', 'rename', 'rm', 'rmdir', 'stat', 'symlink', 'truncate', 'unlink', 'writeFile'],
] as const;

/** Tells of each asynchronous call before it is made, until it is disposed of. */
function listenToCalls(heard: () => void): Disposable {
  const promises: Record<string, unknown> = { ...fs.promises };
  const patched = fs.promises as unknown as Record<string, unknown>;
  for (const name of CALLS) {
    const original = promises[name];
    if (typeof original !== 'function') throw new Error(`node:fs/promises has no ${name}`);
    patched[name] = (...given: unknown[]): unknown => {
      heard();
      return original.apply(fs.promises, given);
    };
  }
  syncBuiltinESMExports();
  return {
    [Symbol.dispose]: () => {
      for (const name of CALLS) patched[name] = promises[name];
      syncBuiltinESMExports();
    },
  };
}

export interface Step {
  /** Before which call it happens, from 1, and before which it is undone; null: never. */
  readonly at: number;
  readonly undoneAt: number | null;
}

/** Runs the work with `happens` before the call `at`, and `undone` before a later one. Gives how many calls there were. */
export async function withStep(
  step: Step,
  work: () => Promise<unknown>,
  { happens, undone }: { readonly happens: () => void; readonly undone: () => void },
): Promise<number> {
  let calls = 0;
  using _heard = listenToCalls(() => {
    calls++;
    if (calls === step.at) happens();
    if (calls === step.undoneAt) undone();
  });
  await work();
  return calls;
}
