/** `run` and `plan`: a brief from the command line to its end, or to its first question. */
import { isFinal, JOB } from '../../../core/state/machines.ts';
import type { RequestInput } from '../../../engine/state/api.ts';
import type { OpenedEngine } from '../../../engine/workspace/workspace.ts';
import { lookAtChosen } from '../../agent/chosenAgents.ts';
import { canAsk, firstOf, leaveAt, personSteward, type Steward, yesSteward } from '../../approval/approvalPrompts.ts';
import { type Context, findJob } from '../../screen/context.ts';
import { parseExecutors, parseUsd, usage } from '../../text/parse.ts';
import { type BriefOptions, briefRequest, parseLanes, readBrief } from './brief.ts';
import { runJob } from './runJob.ts';

export interface RunOptions extends BriefOptions {
  /** An id, or true: the selected or newest job. */
  readonly resume?: string | true;
  readonly yes?: true;
  /** The features of the backlog instead of a brief. */
  readonly backlog?: true;
  readonly dailyLimit?: string;
}

const OF_A_NEW_BRIEF = ['file', 'backlog', 'project', 'provider', 'scenario', 'gates', 'merge', 'setup'] as const;

export async function runVerb(context: Context, words: readonly string[], options: RunOptions): Promise<number> {
  const dailyLimit = options.dailyLimit === undefined ? undefined : parseUsd(options.dailyLimit, '--daily-limit');
  const begin = await beginning(context, words, options);
  return runJob(context, {
    async begin(engine) {
      if (dailyLimit !== undefined) await engine.request('setLimits', { dayMicroUsd: dailyLimit });
      return begin(engine);
    },
    files: options.resume === undefined,
    steward: stewardOf(context, options.yes === true),
  });
}

type Begin = (engine: OpenedEngine) => Promise<string>;

async function beginning(context: Context, words: readonly string[], options: RunOptions): Promise<Begin> {
  if (options.resume !== undefined) return resuming(context, words, options);
  if (options.backlog === true && (words.length > 0 || options.file !== undefined))
    throw usage('--backlog works through the features that no job has: leave out the brief');
  const brief = options.backlog === true ? '' : await readBrief(context, words, options.file);
  const request = briefRequest(context, brief, options);
  const input = options.backlog === true ? { ...request, backlog: true } : request;
  await context.workspace.job.checkFirst(input);
  return filing(context, input);
}

function filing(context: Context, input: RequestInput<'submitBrief'>): Begin {
  return async (engine) => {
    await lookAtChosen(context, input.executors ?? {});
    return (await engine.request('submitBrief', input)).jobId;
  };
}

function resuming(context: Context, words: readonly string[], options: RunOptions): Begin {
  if (words.length > 0) throw usage('--resume continues a job: it takes no brief');
  const foreign = OF_A_NEW_BRIEF.find((option) => options[option] !== undefined);
  if (foreign !== undefined) throw usage(`--${foreign} belongs to a new brief, not to --resume`);
  const budget = options.budget === undefined ? {} : { budgetMicroUsd: parseUsd(options.budget, '--budget') };
  const given = options.executor === undefined ? {} : { executors: parseExecutors(options.executor) };
  const lanes = options.lanes === undefined ? {} : { lanes: parseLanes(options.lanes) };
  return async (engine) => {
    const job = findJob(context, engine.state, options.resume === true ? undefined : options.resume);
    await lookAtChosen(context, given.executors ?? {});
    if (!isFinal(JOB, job.status)) await engine.request('resumeJob', { jobId: job.id, ...budget, ...given, ...lanes });
    return job.id;
  };
}

/** The flag first, then the person at the terminal, if there is one. */
export function stewardOf(context: Context, yes: boolean): Steward {
  const stewards: Steward[] = [];
  if (yes) stewards.push(yesSteward(context));
  if (canAsk(context)) stewards.push(personSteward(context));
  return firstOf(stewards);
}

/** Files the brief and stops at the plan gate, whatever other gates are set. */
export async function planVerb(context: Context, words: readonly string[], options: BriefOptions): Promise<number> {
  const input = briefRequest(context, await readBrief(context, words, options.file), options);
  await context.workspace.job.checkFirst(input);
  const gates = input.gates === undefined ? {} : { gates: [...new Set([...input.gates, 'plan' as const])] };
  return runJob(context, {
    begin: filing(context, { ...input, ...gates }),
    files: true,
    steward: firstOf([leaveAt(context, 'plan'), stewardOf(context, false)]),
  });
}
