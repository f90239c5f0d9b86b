/**
 * Hides the files of a clone that an agent would execute automatically from agents that review or plan: such files must
 * not answer for the agent.
 */
import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { AUTO_EXECUTED_PATHS } from '../../../core/guard/autoExecutedPaths.ts';
import { mayBeWithin } from '../../../core/guard/foldedPath.ts';
import type { CloneReader } from '../../../engine/agent/start/startPorts.ts';
import { failure } from '../../../shared/errors.ts';

/** The existing paths to hide. Throws AGENT_UNUSABLE if a path cannot be hidden and the agent is a reviewer. */
export function placesToHide(clone: string, { title, judges, sandboxed }: CloneReader): string[] {
  // Git executes settings in its configuration there; a reviewer gets the diff instead. Without a sandbox, no built-in
  // agent writes it.
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
  // In the spelling of the disk, by which a sandbox compares.
  return found.filter((place) => !open.includes(place)).map((place) => realpathSync.native(join(clone, place)));
}

/** A hidden link would leave its target reachable. On some systems, `.claude` is found as `.Claude`. */
function isLinked(clone: string, place: string): boolean {
  const path = join(clone, place);
  if (!existsSync(path)) return true;
  const [real, own] = [realpathSync.native(path), join(realpathSync.native(clone), place)];
  return !mayBeWithin(real, own) || !mayBeWithin(own, real);
}
