/** Keeps from who judges or plans whatever of a clone an agent would run by itself: it must not answer in his name. */
import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { AUTO_EXECUTED_PATHS } from '../../../core/guard/autoExecutedPaths.ts';
import type { CloneReader } from '../../../engine/agent/start/startPorts.ts';
import { failure } from '../../../shared/errors.ts';

/** Paths that are there. Throws AGENT_UNUSABLE where a place can be kept from nobody, and it is about to judge. */
export function placesToHide(clone: string, { title, judges, sandboxed }: CloneReader): string[] {
  // Git runs what its configuration there says; who judges is given the diff. Without a sandbox no agent of ours writes it.
  const places = judges && sandboxed ? [...AUTO_EXECUTED_PATHS, '.git'] : AUTO_EXECUTED_PATHS;
  const found = places.filter((place) => lstatSync(join(clone, place), { throwIfNoEntry: false }) !== undefined);
  const open = found.filter((place) => !sandboxed || isLinked(clone, place));
  const [first] = open;
  if (first !== undefined && judges) {
    throw failure('AGENT_UNUSABLE', `${title} could obey ${first} of the clone, which cannot be kept from it here`, {
      hint: 'Let the built-in agent review, or remove it from the repository.',
      details: { place: first },
    });
  }
  return found.filter((place) => !open.includes(place)).map((place) => join(clone, place));
}

/** Over a link it would still be reached where that leads. */
function isLinked(clone: string, place: string): boolean {
  const path = join(clone, place);
  return !existsSync(path) || realpathSync(path) !== join(realpathSync(clone), place);
}
