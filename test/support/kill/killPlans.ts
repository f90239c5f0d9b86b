/** Which kills a world gets, and what they come to over all worlds. */

import { type Findings, findingsIn, promisesBroken, type Undisturbed } from '../invariants/invariants.ts';
import type { Built } from '../suite/plantedBug.ts';
import { figure } from '../suite/proof.ts';
import { HOWS, type How } from './killPoint.ts';
import type { Tree } from './killProcess.ts';
import { type Kill, KillWorld, type Life } from './killWorld.ts';

/** Words of git commands that change a repository. */
const GIT_WORDS = ['update-ref', 'commit-tree', 'read-tree', 'write-tree', 'clone', 'fetch'] as const;
const MOST_LIVES = 60;

type Random = (below: number) => number;
const oneOf = <T>(random: Random, all: readonly [T, ...T[]]): T => all[random(all.length)] ?? all[0];

/** A place, as the dice fall: some seconds of work are about 25 events, 6 lines of journals or 60 changes of files. */
export function randomKill(random: Random): Kill {
  const how: How = oneOf(random, HOWS);
  const dice = random(100);
  if (dice < 35) return { at: 'event', types: [], nth: 1 + random(25), how };
  if (dice < 50) return { at: 'journal', nth: 1 + random(6), how };
  if (dice < 70) return { at: 'change', nth: 1 + random(60), how };
  if (dice < 80)
    return { at: 'git', word: oneOf(random, GIT_WORDS), nth: 1 + random(4), how: oneOf(random, ['before', 'after']) };
  return { at: 'told', types: [], nth: 1 + random(25), ms: random(30) };
}

interface Total {
  worlds: number;
  kills: number;
  acknowledged: number;
  unsettled: number;
  /** Kills whose place did not come: it came to rest, or took too long. */
  elsewhere: number;
  readonly upMs: number[];
  /** What is not as it must be, with the name of its world. */
  readonly broken: Record<string, unknown>;
}

export const noTotal = (): Total => ({
  worlds: 0,
  kills: 0,
  acknowledged: 0,
  unsettled: 0,
  elsewhere: 0,
  upMs: [],
  broken: {},
});

export interface Plan {
  /** In messages of failures, with the seed. */
  readonly name: string;
  readonly tree: Tree;
  readonly seed: number;
  /** One of so many requests goes wrong; 0: none. */
  readonly faults: number;
  /** null: no more of them. Called before each life, with the number of lives so far and what became of the last one. */
  next(world: KillWorld, lives: number, last: Life | null): Kill | null;
}

/** A world from its beginning through its kills to its end, and what is found in it then. */
export async function killThrough(programs: Built, plan: Plan, expected: Undisturbed, total: Total): Promise<Findings> {
  await using world = await KillWorld.open(programs, plan.tree, plan.seed, plan.faults);
  let life: Life | null = null;
  for (let lives = 0; lives < MOST_LIVES; lives++) {
    const kill = plan.next(world, lives, life);
    if (kill === null) break;
    life = await world.live(kill);
    if (life.upMs !== null) total.upMs.push(life.upMs);
    if (!life.reached) total.elsewhere++;
  }
  await world.finish();
  const findings = await findingsIn(world, expected);
  total.worlds++;
  total.kills += world.kills;
  total.acknowledged += findings.acknowledged;
  total.unsettled += findings.money.unsettled;
  const broken = promisesBroken(findings);
  if (Object.keys(broken).length > 0) total.broken[plan.name] = broken;
  return findings;
}

const median = (all: readonly number[]): number => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0;

/** For docs/TRUST.md. */
export function tellKills(total: Total): void {
  const count = (what: string, value: number, aim: { atMost: number } | null): void =>
    figure({ method: 'T1', what, value, unit: '', aim });
  count('kills of an owner with a job, a conversation and tasks at work', total.kills, null);
  count('acknowledged events and requests', total.acknowledged, null);
  const broken = Object.values(total.broken) as Record<string, unknown[] | number>[];
  const found = (key: string): number => {
    const all = broken.map((one) => one[key] ?? 0);
    return all.reduce<number>((sum, one) => sum + (typeof one === 'number' ? one : one.length), 0);
  };
  count('acknowledged and lost', found('lost'), { atMost: 0 });
  count('done twice, or otherwise than without kills', found('twice') + found('paidTwice'), { atMost: 0 });
  count('micro-dollars between ledger, board and bill', found('drift') + found('invented'), { atMost: 0 });
  count('billed calls without a line in the ledger', found('billedAndNotInTheLedger'), { atMost: 0 });
  count('calls that cost more than was reserved for them', found('dearerThanReserved'), { atMost: 0 });
  count('kills with more unsettled calls than were in flight', found('tooMany'), { atMost: 0 });
  count('rows stuck after a restart or at the end', found('stuck'), { atMost: 0 });
  count('files of the user that were changed', found('tree'), { atMost: 0 });
  count('unsettled calls', total.unsettled, null);
  const restart = 'restart until a client has the state, no older attempt or call running';
  const told = { method: 'T1', unit: 'ms', aim: { atMost: 2_000 } } as const;
  figure({ ...told, what: `${restart} (median)`, value: Math.round(median(total.upMs)) });
  figure({ ...told, what: `${restart} (longest)`, value: Math.round(Math.max(0, ...total.upMs)) });
}
