/** Actions of a person on a project: `new`, `edit`, `limits` and its status changes. */
import { resolve } from 'node:path';
import { projectWaiting } from '../../core/job/view/waiting.ts';
import { awaits, isAwaiting } from '../../core/project/projectAfter.ts';
import { need } from '../../core/state/rows.ts';
import type { RequestInput } from '../../engine/state/api.ts';
import { NO_PROJECT_LIMITS, type ProjectLimits, type ProjectRow } from '../../shared/project/projects.ts';
import type { Waiting } from '../../shared/waiting.ts';
import type { State } from '../../shared/workspace/state.ts';
import { type Context, command, print, readState, request, withEngine } from '../screen/context.ts';
import { triedNow } from '../screen/run/tryNow.ts';
import { waitingText } from '../screen/waiting.ts';
import { parseCount, parseExecutors, parseMinutes, parseProvider, parseUsd, usage } from '../text/parse.ts';
import { visibleLine } from '../text/visible.ts';
import { limitsText } from './project.ts';

export interface DefinitionOptions {
  readonly file?: string;
  readonly model?: string;
  readonly provider?: string;
  readonly scenario?: string;
  /** Values of each `--executor`. */
  readonly executor?: readonly string[];
  readonly workdir?: string;
  readonly after?: string;
  readonly idle?: string;
  /** A duration such as `4h`, or `none`. */
  readonly heartbeat?: string;
  readonly heartbeatPrompt?: string;
}

export interface NewOptions extends DefinitionOptions {
  readonly goal?: string;
  readonly background?: string;
  readonly constraints?: string;
  readonly template?: string;
}

const MOST_MINUTES = 525_600;
const CHECK = 'Check the current state. Use notify if a person must know about it; otherwise do nothing.';

type Definition = Omit<RequestInput<'defineProject'>, 'project'>;

function heartbeatOf({ heartbeat, heartbeatPrompt }: DefinitionOptions): Definition['heartbeat'] {
  if (heartbeat === undefined) {
    if (heartbeatPrompt !== undefined) throw usage('--heartbeat-prompt needs --heartbeat <time>');
    return undefined;
  }
  if (heartbeat === 'none') return null;
  return { minutes: parseMinutes(heartbeat, '--heartbeat', 1, 10_080), prompt: heartbeatPrompt ?? CHECK };
}

/** `never`, or 0, is never; `default` is as set for all. */
function idleOf(text: string): number | null {
  if (text === 'default') return null;
  return text === 'never' ? 0 : parseMinutes(text, '--idle', 0, MOST_MINUTES);
}

/** `none` removes a value. */
async function definitionOf(context: Context, options: DefinitionOptions): Promise<Definition> {
  const { deps } = context;
  const { file, model, provider, scenario, executor, workdir, after, idle } = options;
  const orNone = (text: string): string | null => (text === 'none' ? null : text);
  const heartbeat = heartbeatOf(options);
  return {
    ...(file === undefined
      ? {}
      : { body: await (file === '-' ? deps.io.readStdin() : deps.io.readFile(resolve(deps.cwd, file))) }),
    ...(model === undefined ? {} : { model: orNone(model) }),
    ...(provider === undefined && scenario === undefined ? {} : { provider: parseProvider(provider ?? 'simulated') }),
    ...(scenario === undefined
      ? {}
      : { scenario: /[/\\]|\.(ya?ml|json)$/.test(scenario) ? resolve(deps.cwd, scenario) : orNone(scenario) }),
    ...(executor === undefined ? {} : { executors: executor[0] === 'none' ? null : parseExecutors(executor) }),
    ...(workdir === undefined ? {} : { workdir: workdir === 'none' ? null : resolve(deps.cwd, workdir) }),
    ...(after === undefined ? {} : { after: orNone(after) }),
    ...(idle === undefined ? {} : { idleMinutes: idleOf(idle) }),
    ...(heartbeat === undefined ? {} : { heartbeat }),
  };
}

export async function projectNewVerb(
  context: Context,
  name: string,
  words: readonly string[],
  options: NewOptions,
): Promise<number> {
  const { background, constraints, template } = options;
  if (words.length > 0 && options.goal !== undefined) throw usage('give the goal as words or as --goal, not both');
  const goal = words.length > 0 ? words.join(' ') : options.goal;
  const input = {
    name,
    ...(goal === undefined ? {} : { goal }),
    ...(background === undefined ? {} : { background }),
    ...(constraints === undefined ? {} : { constraints }),
    template: template ?? null,
    ...(await definitionOf(context, options)),
  };
  const { row, held } = await withEngine(context, async (engine) => {
    const { project } = await engine.request('createProject', input);
    const made = need(engine.state, 'projects', project);
    return { row: made, held: heldText(context, engine.state, made) };
  });
  const { limits, heartbeat, id } = row;
  const text = [
    `Created project ${id}`,
    ...(limitsText(limits) === limitsText(NO_PROJECT_LIMITS) ? [] : [`Limits: ${limitsText(limits)}`]),
    ...(heartbeat === null ? [] : [`Every ${heartbeat.minutes} min it asks itself: ${visibleLine(heartbeat.prompt)}`]),
    ...held,
    `Talk to it: ${command(context, `project send ${id} "…"`)}`,
  ];
  print(context, { project: { id, limits, heartbeat } }, text.join('\n'));
  return 0;
}

/** The reasons why a new project does not run yet, with the command that resolves each. */
function heldText(context: Context, state: State, row: ProjectRow): string[] {
  const waiting = projectWaiting(state, row);
  const subject = { of: 'project', id: row.id, projectId: row.id } as const;
  const awaited = isAwaiting(row.parked) ? null : awaits(state, row);
  const unpark = command(context, `project unpark ${row.id}`);
  return [
    ...(waiting === null ? [] : [waitingText(context, waiting, subject)]),
    ...(awaited === null ? [] : [`After that it ${awaited}. To start it earlier: ${unpark}`]),
  ];
}

/** Changes the given fields. Without options, the text is edited. */
export async function projectEditVerb(context: Context, name: string, options: DefinitionOptions): Promise<number> {
  const given = await definitionOf(context, options);
  const changed = Object.keys(given).length > 0 ? given : await editedBody(context, name);
  if (changed === null) {
    print(context, { project: { id: name }, changed: false }, 'Nothing changed.');
    return 0;
  }
  await request(context, 'defineProject', { project: name, ...changed });
  print(context, { project: { id: name }, changed: true }, `Changed project ${visibleLine(name)}`);
  return 0;
}

async function editedBody(context: Context, name: string): Promise<Definition | null> {
  const { body } = need(await readState(context), 'projects', name);
  const text = await context.deps.io.edit(body, 'PROJECT.md');
  if (text === null) throw usage('there is no editor here', 'Say what to change, e.g. --file F or --model M.');
  return text === body ? null : { body: text };
}

export interface ProjectLimitOptions {
  readonly daily?: string;
  readonly total?: string;
  readonly tokens?: string;
  readonly toolCalls?: string;
}

export async function projectLimitsVerb(context: Context, name: string, options: ProjectLimitOptions): Promise<number> {
  const count = (text: string, option: string): number | null =>
    text === 'none' ? null : parseCount(text, option, 1, 999_999_999_999);
  const { daily, total, tokens, toolCalls } = options;
  const limits: Partial<ProjectLimits> = {
    ...(daily === undefined ? {} : { dayMicroUsd: parseUsd(daily, '--daily') }),
    ...(total === undefined ? {} : { totalMicroUsd: parseUsd(total, '--total') }),
    ...(tokens === undefined ? {} : { tokens: count(tokens, '--tokens') }),
    ...(toolCalls === undefined ? {} : { toolCalls: count(toolCalls, '--tool-calls') }),
  };
  if (Object.keys(limits).length > 0) await request(context, 'defineProject', { project: name, limits });
  const now = need(await readState(context), 'projects', name).limits;
  const usd = (micro: number | null): number | null => (micro === null ? null : micro / 1e6);
  const { dayMicroUsd, totalMicroUsd, ...counts } = now;
  const json = { dayUsd: usd(dayMicroUsd), totalUsd: usd(totalMicroUsd), ...counts };
  print(context, { project: { id: name }, limits: json }, `Limits of project ${visibleLine(name)}: ${limitsText(now)}`);
  return 0;
}

/** Changes a project's status, and prints the new state. */
async function step(
  context: Context,
  name: string,
  done: string,
  run: Parameters<typeof withEngine>[1],
): Promise<number> {
  const project = await withEngine(context, async (engine) => {
    await run(engine);
    return engine.state.projects.get(name);
  });
  const parked = project?.parked ?? null;
  const text = [
    `Project ${visibleLine(name)} ${done}`,
    ...(parked === null ? [] : [`  It is parked: ${visibleLine(parked)}`]),
  ];
  const json = { project: { id: name, status: project?.status ?? null, parked } };
  print(context, json, text.join('\n'));
  return 0;
}

export const suspendVerb = (context: Context, project: string, reason: string): Promise<number> =>
  step(context, project, 'is suspended; nothing is lost', (engine) =>
    engine.request('suspendProject', { project, reason }),
  );

/** For an active project, retries now: its conversation, its jobs and its waiting tasks. */
export async function resumeVerb(context: Context, project: string): Promise<number> {
  const row = (await readState(context)).projects.get(project);
  if (row?.status !== 'active') {
    return step(context, project, 'is active', (engine) => engine.request('resumeProject', { project }));
  }
  const waitingIn = (state: State): Waiting | null => projectWaiting(state, need(state, 'projects', project));
  const { text, after } = await withEngine(context, async (engine) => {
    const subject = { of: 'project', id: project, projectId: project } as const;
    const ask = (): Promise<unknown> => engine.request('tryNow', { of: 'project', id: project });
    const told = await triedNow(context, engine, subject, waitingIn, ask);
    return { text: told, after: engine.state };
  });
  const { status, parked } = need(after, 'projects', project);
  const json = { project: { id: project, status, parked, waiting: waitingIn(after) } };
  print(context, json, `Project ${visibleLine(project)} is tried again\n  ${text}`);
  return 0;
}

/** Stops the running turn. Does not affect jobs, tasks and later messages. */
export async function stopTurnVerb(context: Context, project: string): Promise<number> {
  const { stopped } = await request(context, 'stopTurn', { project });
  const name = visibleLine(project);
  const text = stopped ? `Stopped the turn of ${name}` : `No turn of ${name} is running`;
  print(context, { project: { id: project }, stopped }, text);
  return 0;
}

export const completeVerb = (context: Context, project: string, reason: string): Promise<number> =>
  step(context, project, 'is completed', (engine) => engine.request('completeProject', { project, reason }));

export const archiveVerb = (context: Context, project: string): Promise<number> =>
  step(context, project, 'is archived', (engine) => engine.request('archiveProject', { project }));

export async function unparkVerb(context: Context, project: string): Promise<number> {
  const row = (await readState(context)).projects.get(project);
  if (row !== undefined && row.parked === null) {
    const json = { project: { id: project, status: row.status, parked: null } };
    print(context, json, `Project ${visibleLine(project)} is not parked: it is ${row.status}`);
    return 0;
  }
  return step(context, project, 'is tried again', (engine) => engine.request('unparkProject', { project }));
}

export const adoptVerb = (context: Context, name: string): Promise<number> =>
  step(context, name, 'is taken over', (engine) => engine.request('adoptProject', { name }));
