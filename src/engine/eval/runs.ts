/** Runs what an eval misses, several at a time, within one budget. A run that was interrupted is resumed. */
import { missingRuns, type OpenRun, openRuns, type RunKey, runName, spentOn } from '../../core/eval/missingRuns.ts';
import { oneByOne } from '../../core/session/oneByOne.ts';
import { messageOf } from '../../shared/errors.ts';
import type { EvalResult } from '../../shared/eval/records.ts';
import type { RequestInput } from '../state/api.ts';
import { checkCode, type Verdict } from './checks.ts';
import type { ChosenTask, EvalPlan, EvalPorts, RunEnd, Variant } from './ports.ts';
import { now, stopIf } from './stopped.ts';

interface Prepared {
  readonly tasks: readonly ChosenTask[];
  readonly settings: readonly string[];
  readonly runs: readonly RunKey[];
}

/** Returns why no further run was started, or null. Returns and throws only after each run that was started has ended. */
export async function runAll(ports: EvalPorts, plan: EvalPlan, prepared: Prepared): Promise<string | null> {
  const runner = new Runner(ports, plan, prepared, await settleOpenRuns(ports));
  const lanes = await Promise.allSettled(Array.from({ length: plan.parallel }, () => runner.lane()));
  for (const lane of lanes) if (lane.status === 'rejected') throw lane.reason;
  return runner.stopped;
}

/** Starts runs one after the other in each lane, as long as the budget covers the next one. */
class Runner {
  stopped: string | null = null;
  readonly #ports: EvalPorts;
  readonly #plan: EvalPlan;
  readonly #prepared: Prepared;
  readonly #open: Map<string, OpenRun>;
  /** Runs that have not begun. */
  readonly #missing: RunKey[];
  /** Reservations of the running runs, by their names. */
  readonly #active = new Map<string, number>();
  #ended = Promise.withResolvers<void>();
  /** Tests of several results at once would slow each other down, beyond their time limits. */
  readonly #inTurn: InTurn = oneByOne();

  constructor(ports: EvalPorts, plan: EvalPlan, prepared: Prepared, open: Map<string, OpenRun>) {
    this.#ports = ports;
    this.#plan = plan;
    this.#prepared = prepared;
    this.#open = open;
    this.#missing = missingRuns(ports.records.results, prepared.runs);
  }

  async lane(): Promise<void> {
    for (let one = await this.#next(); one !== null; one = await this.#next()) await this.#run(one);
  }

  /** Takes the next run and reserves its money. Null if no further run may start. */
  async #next(): Promise<OneRun | null> {
    for (;;) {
      stopIf(this.#ports.signal);
      const [run] = this.#missing;
      if (run === undefined || this.stopped !== null) return null;
      const one = this.#one(run);
      const needed = one.resumed?.reservedMicroUsd ?? one.variant.request.budgetMicroUsd;
      const left = this.#left(run);
      if (needed <= left) {
        this.#missing.shift();
        this.#open.delete(runName(run));
        this.#active.set(runName(run), needed);
        return one;
      }
      if (this.#active.size === 0) {
        this.stopped = noMoney(left, needed, this.#missing.length);
        return null;
      }
      // Running runs may leave a part of their reservations.
      await this.#ended.promise;
    }
  }

  #one(run: RunKey): OneRun {
    const { tasks, settings } = this.#prepared;
    const chosen = tasks.find(({ task }) => task.id === run.task);
    const variant = this.#plan.variants[settings.indexOf(run.settings)];
    if (chosen === undefined || variant === undefined) throw new Error(`no task or variant for ${runName(run)}`);
    const resumed = this.#open.get(runName(run)) ?? null;
    return { chosen, variant, run, resumed };
  }

  /** Micro-USD that the next run may reserve. Runs that were interrupted may have spent up to their reservations. */
  #left(next: RunKey): number {
    const { results, notes } = this.#ports.records;
    const { runs } = this.#prepared;
    const wanted = new Set(runs.map(runName));
    const reserved = [...this.#open.values()]
      .filter(({ run }) => wanted.has(run) && run !== runName(next))
      .map(({ reservedMicroUsd }) => reservedMicroUsd);
    const held = [...reserved, ...this.#active.values()].reduce((sum, one) => sum + one, 0);
    return this.#plan.budgetMicroUsd - spentOn(results, notes, runs) - held;
  }

  async #run(one: OneRun): Promise<void> {
    const { chosen, variant, run, resumed } = one;
    const verb = resumed === null ? 'Running' : 'Resuming';
    const { repeat } = this.#plan;
    this.#ports.say(`${verb} "${chosen.task.title}" with ${variant.name}, ${run.repetition} of ${repeat}`);
    try {
      const { outcome, reason } = await runOne(this.#ports, one, this.#inTurn);
      this.#active.delete(runName(run));
      if (outcome === 'void') this.stopped ??= `a run could not be judged: ${reason}`;
    } catch (thrown) {
      // Its cost is not recorded, so it keeps its reservation.
      this.stopped ??= `a run ended with an error: ${messageOf(thrown)}`;
      if (!this.#ports.signal.aborted) this.#ports.say(`No further run starts: ${this.stopped}`);
      throw thrown;
    } finally {
      this.#ended.resolve();
      this.#ended = Promise.withResolvers();
    }
  }
}

const usd = (microUsd: number): string => `$${(Math.max(0, microUsd) / 1e6).toFixed(2)}`;

const noMoney = (left: number, needed: number, missing: number): string =>
  `the budget is used up: ${usd(left)} is left, the next run may cost ${usd(needed)}, and ${missing} ${missing === 1 ? 'run is' : 'runs are'} missing`;

/** The interrupted runs that can be resumed. The cost of the others is unknown: it counts at the reservation. */
async function settleOpenRuns(ports: EvalPorts): Promise<Map<string, OpenRun>> {
  const { records, workshop } = ports;
  const open = new Map<string, OpenRun>();
  const left = openRuns(records.results, records.notes);
  const folders = new Set(left.map(({ folder }) => folder));
  // A process that was killed after a result left its folder.
  for (const note of records.notes)
    if (note.type === 'started' && !folders.has(note.folder)) await workshop.remove(note.folder);
  for (const one of left) {
    if (await workshop.hasRun(one.folder)) open.set(one.run, one);
    else {
      const { run, folder, reservedMicroUsd: microUsd } = one;
      await records.addNote({ type: 'lost', version: 1, at: now(ports), run, folder, microUsd });
      ports.say(`The folder of an interrupted run is missing: ${usd(microUsd)} count as spent`);
    }
  }
  return open;
}

interface OneRun {
  readonly chosen: ChosenTask;
  readonly variant: Variant;
  readonly run: RunKey;
  readonly resumed: OpenRun | null;
}

/** Calls a check when no other one runs. */
type InTurn = (check: () => Promise<Verdict>) => Promise<Verdict>;

async function runOne(ports: EvalPorts, one: OneRun, inTurn: InTurn): Promise<EvalResult> {
  const { workshop, records, signal } = ports;
  const { task } = one.chosen;
  const folder = one.resumed?.folder ?? (await startRun(ports, one));
  const end = await workshop.run(folder, requestOf(one), signal);
  const judged = await judge(ports, one.chosen, workshop.repositoryIn(folder), end, inTurn);
  const result: EvalResult = {
    version: 1,
    at: now(ports),
    release: ports.release,
    task: task.id,
    title: task.title,
    category: task.category,
    variant: one.variant.name,
    settings: one.run.settings,
    repetition: one.run.repetition,
    ...end.facts,
    ...judged,
    passed: judged.outcome === 'passed',
  };
  await records.addResult(result);
  await workshop.remove(folder);
  return result;
}

/** No gate asks, because no one answers. The merge reaches only the repository of the run. */
const requestOf = ({ variant, chosen }: OneRun): RequestInput<'submitBrief'> => ({
  ...variant.request,
  brief: chosen.task.brief,
  gates: [],
  mergeMode: 'merge',
  setup: [...chosen.check.setup],
});

/** Recorded before the first call of a model, so that its cost counts even if this process is killed. */
async function startRun(ports: EvalPorts, { chosen, variant, run }: OneRun): Promise<string> {
  const { trees, workshop, records } = ports;
  const folder = await workshop.makeFolder();
  await trees.startRepository(chosen.task, workshop.repositoryIn(folder));
  const reservedMicroUsd = variant.request.budgetMicroUsd;
  await records.addNote({ type: 'started', version: 1, at: now(ports), run: runName(run), folder, reservedMicroUsd });
  return folder;
}

/** A job that did not complete has no result that the tests could pass on. */
async function judge(
  ports: EvalPorts,
  { task, check }: ChosenTask,
  repository: string,
  end: RunEnd,
  inTurn: InTurn,
): Promise<Pick<EvalResult, 'outcome' | 'reason'>> {
  if (end.outcome === 'void') return { outcome: 'void', reason: end.reason };
  if (end.outcome === 'stopped') return { outcome: 'failed', reason: end.reason };
  const verdict = await inTurn(() => checkCode(ports, task, { repository }, check, ports.signal));
  switch (verdict.verdict) {
    case 'passed':
      return { outcome: 'passed', reason: '' };
    case 'failed':
      return { outcome: 'failed', reason: verdict.reason };
    case 'unknown':
      return { outcome: 'void', reason: verdict.reason };
  }
}
