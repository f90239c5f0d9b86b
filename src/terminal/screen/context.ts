/** The context of every verb: the outside world, and the options that all verbs have. */
import { resolve } from 'node:path';
import { firstProblems } from '../../core/text/problemText.ts';
import type { RequestAnswer, RequestInput, RequestName } from '../../engine/state/api.ts';
import type {
  FoundOwner,
  Look,
  OpenedEngine,
  OwnerSettings,
  OwnerWork,
  Place,
  Workspace,
} from '../../engine/workspace/workspace.ts';
import { failure } from '../../shared/errors.ts';
import type { JobRow } from '../../shared/job/rows.ts';
import type { State } from '../../shared/workspace/state.ts';
import { type Paint, painter } from '../text/paint.ts';
import { usage } from '../text/parse.ts';
import { shellWord } from '../text/shell.ts';
import { visibleBlock, visibleLine } from '../text/visible.ts';
import type { TerminalDeps } from './world.ts';

export interface Context {
  readonly deps: TerminalDeps;
  readonly json: boolean;
  readonly workspace: Workspace;
  /** The folders as they were typed, for commands to copy. `word` is null for the current folder and the environment's. */
  readonly named: { readonly projectDir: string; readonly word: string | null; readonly jobsDir: string | null };
  /** Hosts that steps of tasks may fetch from. */
  readonly allowedHosts: readonly string[];
  readonly paint: Paint;
}

/** Calls a verb with its context, and stores its exit code. */
export type Act = (verb: (context: Context) => Promise<number>) => Promise<void>;

export interface CommonOptions {
  readonly json?: true;
  readonly projectDir?: string;
  readonly jobsDir?: string;
  /** Values of each `--allow-host`. */
  readonly allowHost?: readonly string[];
}

/** The name by which a person calls this program. */
export const PROGRAM = 'autonomous';

/** A command to copy that means the same project, e.g. `autonomous approve 3`. */
export function command(context: Context, words: string): string {
  const { named, allowedHosts } = context;
  const { folder: projectDir } = context.workspace.place;
  const parts = [PROGRAM, words];
  const folder = projectDir === named.projectDir ? named.word : projectDir;
  if (folder !== null) parts.push('--project-dir', shellWord(folder));
  if (named.jobsDir !== null) parts.push('--jobs-dir', shellWord(named.jobsDir));
  for (const host of allowedHosts) parts.push('--allow-host', shellWord(host));
  return parts.join(' ');
}

const HOST = /^(\[[\da-f:.]+\]|[a-z\d]([a-z\d.-]*[a-z\d])?)(:\d{1,5})?$/i;

function hostOf(text: string): string {
  if (HOST.test(text)) return text.toLowerCase();
  throw usage(`--allow-host "${visibleLine(text)}" is not a host`, 'Write e.g. api.github.com or localhost:8080.');
}

export function makeContext(deps: TerminalDeps, options: CommonOptions): Context {
  const { jobsDir } = options;
  const jobsPlace = jobsDir === undefined ? (deps.env['AUTONOMOUS_JOBS_DIR'] ?? null) : resolve(deps.cwd, jobsDir);
  const typed = options.projectDir === undefined || options.projectDir === '' ? null : options.projectDir;
  const projectDir = resolve(deps.cwd, typed ?? deps.env['AUTONOMOUS_PROJECT_DIR'] ?? '');
  return {
    deps,
    json: options.json === true,
    workspace: deps.workspaces.at({ folder: projectDir, jobsDir: jobsPlace }),
    named: { projectDir, word: typed !== null && projectDir !== deps.cwd ? typed : null, jobsDir: jobsDir ?? null },
    allowedHosts: [...new Set((options.allowHost ?? []).map(hostOf))],
    paint: painter(deps.io.color),
  };
}

/** The same context for another workspace. */
export function inPlace(context: Context, place: Place): Context {
  return { ...context, workspace: context.deps.workspaces.at(place) };
}

/** The answer of a verb: its JSON form with the version, or its text. Both end in one line end. */
export function print(context: Context, json: object, text: string): void {
  const { io } = context.deps;
  if (context.json) io.out(`${JSON.stringify({ version: 1, ...json })}\n`);
  else if (text !== '') io.out(text.endsWith('\n') ? text : `${text}\n`);
}

/** Prints the answer of a verb whose text other programs read: unchanged in a pipe, without an added line end; escaped on a terminal. */
export function printExact(context: Context, json: object, exact: string, onTerminal = exact): void {
  const { io } = context.deps;
  if (context.json || io.isTTY) print(context, json, visibleBlock(onTerminal));
  else io.out(exact);
}

/** Width of the output in columns. A pipe has none, so a default applies. */
export function columns(context: Context): number {
  const { io } = context.deps;
  return io.isTTY ? Math.max(20, io.columns) : 100;
}

/** Reads the state on disk. Unreadable parts are reported on the error stream. */
export async function readState(context: Context): Promise<State> {
  return (await look(context)).state;
}

async function look(context: Context): Promise<Look> {
  const seen = await context.workspace.look();
  for (const problem of firstProblems(seen.problems)) warn(context, problem);
  if (seen.problems.length > 0) {
    const more = command(context, 'doctor');
    warn(context, `what these places held is left out here, everything else counts; what to do: ${more}`);
  }
  return seen;
}

export interface ReadOwned extends Pick<FoundOwner, 'owned' | 'atWork'> {
  readonly state: State;
}

/** The state on disk, whether a process owns it now, and the work of that process. Warns of an owner that cannot be asked. */
export async function readOwned(context: Context): Promise<ReadOwned> {
  const { state, ownerAlive } = await look(context);
  const { owned, atWork, silent } = await context.workspace.owner(state, ownerAlive);
  if (silent !== null) warn(context, `${silent.message}: this is what it stored last. ${silent.hint}`);
  return { state, owned, atWork };
}

export function warn(context: Context, text: string): void {
  context.deps.io.err(`autonomous: warning: ${visibleLine(text)}\n`);
}

/** The job with this id; without one the selected job, else the newest. Throws NOT_FOUND if there is none. */
export function findJob(context: Context, state: State, id: string | undefined): JobRow {
  const wanted = id ?? state.meta.current_job;
  const job = wanted === null ? undefined : state.jobs.get(wanted);
  if (job !== undefined) return job;
  if (id !== undefined) {
    throw failure('NOT_FOUND', `there is no job ${visibleLine(id)}`, { hint: `See: ${command(context, 'jobs')}` });
  }
  const newest = [...state.jobs.values()].at(-1);
  if (newest === undefined) {
    throw failure('NOT_FOUND', 'there is no job yet', { hint: `File a brief: ${command(context, 'run "…"')}` });
  }
  return newest;
}

/** Settings of this process if it becomes the owner. */
export function ownerSettings({ deps, allowedHosts }: Context, work: OwnerWork): OwnerSettings {
  const delay = deps.env['AUTONOMOUS_SIMULATED_DELAY_MS'];
  const isKeptAwake = wordOf(deps.env['AUTONOMOUS_KEEP_AWAKE'] || 'on');
  return {
    work,
    allowedHosts: () => allowedHosts,
    delayMs: delay === undefined ? null : Number(delay),
    keepAwake: () => isKeptAwake,
  };
}

function wordOf(text: string): boolean {
  if (text === 'on' || text === 'off') return text === 'on';
  throw usage(`AUTONOMOUS_KEEP_AWAKE "${visibleLine(text)}" is neither on nor off`);
}

/** Reaches the living owner, or becomes the owner. */
export async function openEngine(context: Context, work: OwnerWork): Promise<OpenedEngine> {
  const { workspace, allowedHosts } = context;
  const engine = await workspace.open(ownerSettings(context, work));
  if (!engine.owner && allowedHosts.length > 0)
    warn(context, '--allow-host does nothing here: another process owns this workspace, and its hosts count');
  return engine;
}

/** Calls `use` with the owner. If there is none, this process owns the workspace during the call, and runs no work. */
export async function withEngine<T>(context: Context, use: (engine: OpenedEngine) => Promise<T>): Promise<T> {
  const engine = await openEngine(context, 'nothing');
  const unfollow = engine.follow({ problem: (text) => warn(context, text) });
  try {
    return await use(engine);
  } finally {
    unfollow();
    await engine.close();
  }
}

export async function request<N extends RequestName>(
  context: Context,
  name: N,
  input: RequestInput<N>,
): Promise<RequestAnswer<N>> {
  return withEngine(context, (engine) => engine.request(name, input));
}
