/**
 * What must hold of a workspace however often its owner was killed. Knows the files of the log, what the terminal tells, git, what
 * clients were told, and the server's bill; nothing of what it judges.
 */

import { PROJECT } from '../kill/killWork.ts';
import type { KillWorld } from '../kill/killWorld.ts';
import { eventsIn, type Logged } from '../state/eventFiles.ts';
import { gaps, lostEvents, lostRequests } from './lost.ts';
import { type MoneyTold, moneyIn } from './money.ts';
import { leftOpen, unfinished } from './stuck.ts';
import { jobHistory, messagesTwice, tasksTwice } from './twice.ts';
import { changedIn, userTree } from './userTree.ts';

/** Every transition of the job where nobody kills. */
export type Undisturbed = readonly string[];

export interface Findings {
  /** Acknowledged, and not there. */
  readonly lost: readonly string[];
  /** Done twice, left out, or otherwise. */
  readonly twice: readonly string[];
  readonly money: MoneyTold;
  /** Micro-USD that the board is off the log, and the log off the bill. */
  readonly drift: number;
  /** Rows that claim to be under way, at a restart or at the end, and questions that the owner refused. */
  readonly stuck: readonly string[];
  /** Files of the user. */
  readonly tree: readonly string[];
  readonly acknowledged: number;
}

interface Costs {
  readonly total: { readonly settledUsd: number; readonly unsettledUsd: number; readonly reservedUsd: number };
}

const micro = (usd: number): number => Math.round(usd * 1e6);

export function undisturbed(world: KillWorld): Undisturbed {
  return jobHistory(eventsIn(world.places.stateDir), world.folder);
}

export async function findingsIn(world: KillWorld, expected: Undisturbed): Promise<Findings> {
  const { stateDir } = world.places;
  const log = eventsIn(stateDir);
  const boards = {
    board: (await world.json('board')) as Parameters<typeof unfinished>[0]['board'],
    jobs: (await world.json('jobs')) as Parameters<typeof unfinished>[0]['jobs'],
    tasks: (await world.json('task', 'list', '--all')) as Parameters<typeof unfinished>[0]['tasks'],
    approvals: (await world.json('approvals')) as Parameters<typeof unfinished>[0]['approvals'],
  };
  const costs = (await world.json('costs')) as Costs;
  const said = (await world.json('project', 'messages', PROJECT, '--keep-unread', '--last', '1000')) as {
    messages: Parameters<typeof messagesTwice>[0];
  };
  const money = moneyIn(log, world.server.bill);
  return {
    lost: [...gaps(log), ...lostEvents(log, world.told), ...lostRequests(log, world.driver.acknowledged)],
    twice: [
      ...differences(expected, jobHistory(log, world.folder)),
      ...merges(world, log),
      ...tasksTwice(log, stateDir),
      ...messagesTwice(said.messages, stateDir, world.driver.wanted),
      ...world.paidTwice,
    ],
    money,
    drift:
      Math.abs(micro(costs.total.settledUsd) - money.settledMicroUsd) +
      Math.abs(micro(costs.total.unsettledUsd) - money.unsettledMicroUsd) +
      micro(costs.total.reservedUsd) +
      money.driftMicroUsd,
    stuck: [...world.stuck, ...unfinished(boards), ...leftOpen(log), ...world.driver.refused],
    tree: changedIn(world.before, userTree(world.repo), world.tree === 'clean' ? Object.keys(world.result) : []),
    acknowledged: world.told.length + world.driver.acknowledged.length,
  };
}

/** The first one. */
export function differences(expected: readonly string[], found: readonly string[]): string[] {
  const at = expected.findIndex((line, index) => found[index] !== line);
  if (at < 0 && found.length === expected.length) return [];
  const place = at < 0 ? expected.length : at;
  return [`transition ${place} of the job is ${found[place] ?? 'missing'} and not ${expected[place] ?? 'there'}`];
}

/** Of the person, from the beginning. */
const OWN = ['', 'edited.txt', 'staged.txt'];

/** The files of the result that are not as they must be; its commit is merged, or on a branch of its own. */
export function wrongFiles(world: KillWorld): string[] {
  const branches = world.git('for-each-ref', '--format=%(refname)', 'refs/heads/autonomous').trim();
  const commit = world.tree === 'clean' ? 'HEAD' : branches;
  if (!/^[\w/.-]+$/.test(commit)) return [`the branches are: ${branches}`];
  const made = world.git('log', '--format=', '--name-only', commit, '--', '*.txt').trim().split('\n');
  const strange = made.filter((path) => world.result[path] === undefined && !OWN.includes(path));
  const wrong = Object.entries(world.result).filter(([path, text]) => world.git('show', `${commit}:${path}`) !== text);
  return [...strange.map((path) => `${path} was made`), ...wrong.map(([path]) => `${path} is not as it must be`)];
}

/** One result, merged once, of the content that it must have, in a repository that is whole. */
function merges(world: KillWorld, log: readonly Logged[]): string[] {
  const wrong = wrongFiles(world);
  if (log.filter(({ type }) => type === 'job_completed').length !== 1) wrong.push('the job was not completed once');
  const merged = world.git('rev-list', '--merges', '--count', 'main').trim();
  const wanted = world.tree === 'clean' ? '1' : '0';
  if (merged !== wanted) wrong.push(`${merged} merges and not ${wanted}`);
  try {
    world.git('fsck', '--connectivity-only', '--no-dangling');
  } catch (thrown) {
    wrong.push(`git fsck: ${String(thrown)}`);
  }
  return wrong;
}

/** Nothing of this may be in a proof's findings. */
export function promisesBroken({
  lost,
  twice,
  money,
  drift,
  stuck,
  tree,
}: Findings): Readonly<Record<string, unknown>> {
  const broken = {
    lost,
    twice,
    stuck,
    tree,
    tooMany: money.tooMany,
    drift,
    invented: money.invented,
    billedAndNotInTheLedger: money.lost,
    dearerThanReserved: money.overReserved,
    paidTwice: money.paidTwice,
  };
  return Object.fromEntries(
    Object.entries(broken).filter(([, found]) => (Array.isArray(found) ? found.length > 0 : found !== 0)),
  );
}
