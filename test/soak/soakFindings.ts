/** What must hold over a whole soak, read from the log, the terminal, git and the server's bill: everything here is a promise broken. */

import { differences } from '../support/invariants/invariants.ts';
import { gaps, lostEvents, lostRequests } from '../support/invariants/lost.ts';
import { moneyIn } from '../support/invariants/money.ts';
import { jobHistory, messagesTwice, tasksTwice } from '../support/invariants/twice.ts';
import { changedIn, userTree } from '../support/invariants/userTree.ts';
import { KILL_WORK, PROJECT } from '../support/kill/killWork.ts';
import { eventsIn, type Logged } from '../support/state/eventFiles.ts';
import type { SoakWorld } from './soakWorld.ts';

interface Costs {
  readonly total: { readonly settledUsd: number; readonly unsettledUsd: number; readonly reservedUsd: number };
}

const micro = (usd: number): number => Math.round(usd * 1e6);
/** By the steward's request, at whatever moment. */
const REQUESTED: readonly string[] = ['job_paused'];

/** Of rows: in what a question is about, and in what is opened again. */
const IDS = /("subject":"\w+:|"reopen":\[)[\d,]+/g;

/** By what is broken; nothing in it: all is well. */
export async function soakFindings(world: SoakWorld): Promise<Readonly<Record<string, readonly string[]>>> {
  const { stateDir } = world.places;
  const log = eventsIn(stateDir);
  const said = (await world.json('project', 'messages', PROJECT, '--keep-unread', '--last', '1000')) as {
    messages: Parameters<typeof messagesTwice>[0];
  };
  const found = {
    lost: [...gaps(log), ...lostEvents(log, world.told), ...lostRequests(log, world.driver.acknowledged)],
    twice: [
      ...tasksTwice(log, stateDir),
      ...messagesTwice(said.messages, stateDir, world.driver.wanted),
      ...world.paidTwice,
      ...results(world, log),
    ],
    money: await moneyBroken(world, log),
    stuck: [...world.stuck, ...world.driver.refused, ...(await unfinished(world))],
    tree: changedIn(world.before, userTree(world.places.projectDir), []),
    left: world.leftBehind(),
  };
  return Object.fromEntries(Object.entries(found).filter(([, all]) => all.length > 0));
}

async function moneyBroken(world: SoakWorld, log: readonly Logged[]): Promise<string[]> {
  const { invented, lost, overReserved, driftMicroUsd, tooMany, paidTwice, ...money } = moneyIn(log, world.server.bill);
  const { total } = (await world.json('costs')) as Costs;
  const off =
    Math.abs(micro(total.settledUsd) - money.settledMicroUsd) +
    Math.abs(micro(total.unsettledUsd) - money.unsettledMicroUsd) +
    micro(total.reservedUsd);
  const counts = { invented, lost, overReserved, driftMicroUsd, paidTwice, off };
  return [...tooMany, ...Object.entries(counts).flatMap(([what, count]) => (count === 0 ? [] : [`${what}: ${count}`]))];
}

async function unfinished(world: SoakWorld): Promise<string[]> {
  const { jobs } = (await world.json('jobs')) as { jobs: readonly { readonly id: string; readonly status: string }[] };
  const { tasks } = (await world.json('task', 'list', '--all')) as {
    tasks: readonly { name: string; status: string }[];
  };
  const { approvals } = (await world.json('approvals')) as { approvals: readonly unknown[] };
  return [
    ...jobs
      .filter(({ id, status }) => status !== (world.mischief.cancelled.includes(id) ? 'cancelled' : 'completed'))
      .map(({ id, status }) => `job ${id} is ${status}`),
    ...tasks.filter(({ status }) => status !== 'COMPLETED').map(({ name, status }) => `${name} is ${status}`),
    ...(approvals.length > 0 ? [`${approvals.length} questions wait`] : []),
  ];
}

/** All jobs came the same way to the same files, each on a branch of its own. */
function results(world: SoakWorld, log: readonly Logged[]): string[] {
  const done = log.flatMap((event) => (event.type === 'job_completed' ? [event] : []));
  const [first] = done;
  if (first === undefined) return ['no job was completed'];
  const historyOf = (id: string): string[] =>
    jobHistory(
      log.filter(
        (event) => (event.type === 'brief_submitted' ? event.job.id : 'job_id' in event && event.job_id) === id,
      ),
      world.folder,
    )
      .filter((line) => !REQUESTED.some((type) => line.includes(`"type":"${type}"`)))
      .slice(1) // the brief itself has the number of the job
      .map((line) => line.replace(IDS, '$1'));
  const usual = historyOf(first.job_id);
  const refs = world
    .git('for-each-ref', '--format=%(refname:short) %(tree)', 'refs/heads/autonomous')
    .trim()
    .split('\n');
  const trees = new Map(refs.map((line) => line.split(' ') as [string, string]));
  const tree = trees.get(first.merge.target);
  return [
    ...done.flatMap(({ job_id }) => differences(usual, historyOf(job_id))),
    ...done.filter(({ merge }) => trees.get(merge.target) !== tree).map(({ merge }) => `${merge.target} is otherwise`),
    ...Object.entries(KILL_WORK.result)
      .filter(([path, text]) => world.git('show', `${first.merge.target}:${path}`) !== text)
      .map(([path]) => `${path} is not as it must be`),
    ...(trees.size === done.length ? [] : [`${trees.size} branches of ${done.length} jobs`]),
  ];
}
