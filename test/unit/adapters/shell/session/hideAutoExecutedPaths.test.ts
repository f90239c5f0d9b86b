/** Which files of a clone are hidden from agents that review or plan, on a file system that finds `.claude` as `.Claude`. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { placesToHide } from '../../../../../src/adapters/shell/session/hideAutoExecutedPaths.ts';

/** Finds a name in any case, and gives the stored one. */
vi.mock('node:fs', async (original) => {
  const real = await original<typeof import('node:fs')>();
  const stored = (path: string): string => {
    const folder = join(path, '..');
    const names = real.existsSync(folder) ? real.readdirSync(folder) : [];
    return join(folder, names.find((name) => name.toLowerCase() === basename(path).toLowerCase()) ?? basename(path));
  };
  return {
    ...real,
    existsSync: (path: string) => real.existsSync(stored(path)),
    lstatSync: (path: string) => real.lstatSync(stored(path), { throwIfNoEntry: false }),
    realpathSync: Object.assign((path: string) => path, {
      native: (path: string) => real.realpathSync.native(stored(path)),
    }),
  };
});

let clone: string;
beforeEach(() => {
  clone = realpathSync.native(mkdtempSync(join(tmpdir(), 'hide-')));
});
afterEach(() => rmSync(clone, { recursive: true }));

const planner = { title: 'Agent', judges: false, sandboxed: true };

test('a folder is hidden as it is stored, also from a reviewer', () => {
  mkdirSync(join(clone, '.Claude'));
  expect(placesToHide(clone, planner)).toEqual([join(clone, '.Claude')]);
  expect(placesToHide(clone, { ...planner, judges: true })).toEqual([join(clone, '.Claude')]);
});

test('a link cannot be hidden: no reviewer works there', () => {
  mkdirSync(join(clone, 'other'));
  symlinkSync(join(clone, 'other'), join(clone, '.Claude'));
  expect(placesToHide(clone, planner)).toEqual([]);
  expect(() => placesToHide(clone, { ...planner, judges: true })).toThrow('could obey .claude');
});
