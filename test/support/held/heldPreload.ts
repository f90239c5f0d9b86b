/** Loaded before the program under test, and before each of its threads: its renames and removals find files that another program holds. */
import fs from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { sep } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { randomOf } from '../suite/proof.ts';
import { HELD_WORDS, type HeldPlan, nameOf, operationsIn } from './heldWords.ts';

const plan = JSON.parse(new URL(import.meta.url).searchParams.get('plan') ?? '') as HeldPlan;
const random = randomOf(plan.seed + (isMainThread ? 0 : 1));
const { appendFileSync } = fs;
/** Attempts that fail yet, by the operation and the path that is held. Once free, it stays free. */
const held = new Map<string, number>();

const isDue = (name: string): boolean =>
  plan.names === null || (plan.names.includes(name) && !operationsIn(plan.log, plan.root, 'held').includes(name));

/** Throws if one of the files is held. Whoever comes again to a file that was held finds it so, or free. */
function meet(operation: string, paths: readonly string[]): void {
  const known = paths.map((path) => `${operation} ${path}`).find((key) => held.has(key));
  if (known === undefined) {
    const text = `${operation} ${paths.join(' ')}`;
    const isHeld = isDue(nameOf(text, plan.root));
    appendFileSync(plan.log, `${isHeld ? 'held' : 'free'} ${text}\n`);
    if (!isHeld) return;
  }
  const key = known ?? `${operation} ${paths[random(paths.length)]}`;
  const [least, below] = plan.attempts;
  const left = held.get(key) ?? least + random(below - least);
  held.set(key, Math.max(0, left - 1));
  if (left === 0) return;
  const { code } = plan;
  throw Object.assign(new Error(`${code}: ${HELD_WORDS}, ${operation} '${paths.join("' -> '")}'`), { code });
}

const isWatched = (path: unknown): path is string | Buffer =>
  (typeof path === 'string' || Buffer.isBuffer(path)) && String(path).startsWith(plan.root + sep);

function meetAll(operation: string, args: readonly unknown[]): void {
  const paths = (operation.startsWith('rename') ? args.slice(0, 2) : args.slice(0, 1)).filter(isWatched).map(String);
  if (paths.length > 0) meet(operation, paths);
}

type Work = (...args: unknown[]) => unknown;
for (const name of ['rename', 'rm', 'rmdir', 'unlink'] as const) {
  const [real, realSync] = [promises[name] as Work, fs[`${name}Sync`] as Work];
  Object.assign(promises, {
    [name]: async (...args: unknown[]) => {
      meetAll(name, args);
      await real(...args);
    },
  });
  Object.assign(fs, {
    [`${name}Sync`]: (...args: unknown[]) => {
      meetAll(`${name}Sync`, args);
      return realSync(...args);
    },
  });
}
syncBuiltinESMExports();
