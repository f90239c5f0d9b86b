/** Asks this system what identifies it. */
import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { MachineMark } from '../../core/state/processMark.ts';
import { errnoOf } from '../../shared/errors.ts';
import { ownEnvironment, platform } from './platform.ts';
import type { Inquiry } from './system.ts';

const ANSWER_MS = 5_000;

/** Without an answer, claims of other processes are not judged, so no failure here leads to a second owner. */
function answer(ask: () => string): string {
  try {
    return ask().trim();
  } catch (thrown) {
    if (errnoOf(thrown) !== undefined || (thrown instanceof Error && 'status' in thrown)) return '';
    throw thrown;
  }
}

const INQUIRY: Inquiry = {
  file: (path) => answer(() => readFileSync(path, 'utf8')),
  link: (path) => answer(() => readlinkSync(path)),
  output: (program, args) =>
    answer(() =>
      execFileSync(program, args, {
        encoding: 'utf8',
        timeout: ANSWER_MS,
        windowsHide: true,
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    ),
  host: hostname(),
};

let known: MachineMark | null = null;

/** Asked once, when it is first needed. */
export function ownMachine(): MachineMark {
  known ??= platform.machineMark(INQUIRY, ownEnvironment());
  return known;
}
