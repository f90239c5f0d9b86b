/** `attempts` and `restore`: saved work of attempts, with or without its clone. */
import { resolve } from 'node:path';
import { restoredBranch } from '../../core/job/keptWork.ts';
import { fileSize } from '../../core/text/fileSize.ts';
import type { RestoreAs } from '../../shared/job/keptWork.ts';
import { type Context, columns, command, findJob, print, type ReadOwned, readOwned } from '../screen/context.ts';
import { stillWord } from '../screen/standing.ts';
import { moment } from '../text/format.ts';
import { parseId, usage } from '../text/parse.ts';
import { table } from '../text/table.ts';
import { visibleLine } from '../text/visible.ts';

export async function attemptsVerb(context: Context, options: { readonly job?: string }): Promise<number> {
  const looked = await readOwned(context);
  const { state, owned, atWork } = looked;
  const job = options.job === undefined ? null : findJob(context, state, options.job);
  const kept = new Map((await context.workspace.job.kept()).map(({ id, bytes }) => [id, bytes]));
  const attempts = [...state.attempts.values()]
    .filter((row) => row.feature_id !== null && (job === null || row.job_id === job.id))
    .map((row) => ({
      id: row.id,
      job: row.job_id,
      feature: { id: row.feature_id, name: state.features.get(row.feature_id ?? 0)?.name ?? '' },
      number: row.number,
      status: row.status,
      cause: row.cause,
      startedAt: row.started_at,
      keptBytes: kept.get(row.id) ?? null,
    }));
  print(context, { owned, atWork: atWork.jobs, attempts }, context.json ? '' : text(context, attempts, looked));
  return 0;
}

interface Listed {
  readonly id: number;
  readonly job: string;
  readonly feature: { readonly name: string };
  readonly number: number;
  readonly status: string;
  readonly cause: string | null;
  readonly startedAt: string;
  readonly keptBytes: number | null;
}

function text(context: Context, attempts: readonly Listed[], { owned, atWork }: ReadOwned): string {
  if (attempts.length === 0) return 'No attempt yet.';
  const rows = attempts.map((one) => [
    String(one.id),
    visibleLine(one.feature.name),
    String(one.number),
    one.status === 'running' && !atWork.jobs.includes(one.job)
      ? `${one.status} (${stillWord(owned)})`
      : one.cause === null || one.cause === one.status
        ? one.status
        : `${one.status}: ${visibleLine(one.cause)}`,
    one.keptBytes === null ? '-' : fileSize(one.keptBytes),
    moment(one.startedAt, context.deps.clock),
    one.job,
  ]);
  const titles = [
    { title: 'ATTEMPT', align: 'right' },
    { title: 'FEATURE', gives: true },
    { title: 'NUMBER', align: 'right', optional: true },
    { title: 'STATUS' },
    { title: 'KEPT', align: 'right' },
    { title: 'STARTED', optional: true },
    { title: 'JOB', optional: true },
  ] as const;
  return [...table(titles, rows, columns(context)), '', `To a branch: ${command(context, 'restore ATTEMPT')}`].join(
    '\n',
  );
}

export interface RestoreOptions {
  readonly branch?: string;
  readonly patch?: string;
  readonly own?: true;
}

function wanted(context: Context, id: number, { branch, patch, own }: RestoreOptions): RestoreAs {
  if (branch !== undefined && patch !== undefined)
    throw usage('a branch or a patch: --branch and --patch exclude each other');
  if (own === true && patch === undefined)
    throw usage('--own is for --patch: a branch contains the tree that the attempt started with');
  if (patch !== undefined) return { patchFile: resolve(context.deps.cwd, patch), ownOnly: own === true };
  return { branch: branch ?? restoredBranch(id) };
}

export async function restoreVerb(context: Context, attempt: string, options: RestoreOptions): Promise<number> {
  const id = parseId(attempt, 'attempt');
  const restored = await context.workspace.job.restore(id, wanted(context, id, options));
  const on = `on ${restored.origin.slice(0, 12)}`;
  const said =
    restored.commit === null
      ? `Attempt ${id} is the patch ${visibleLine(restored.target)}, ${options.own === true ? 'its own part only' : on}`
      : `Attempt ${id} is the branch ${visibleLine(restored.target)} (${restored.commit.slice(0, 12)}, ${on}). Nothing else changed.`;
  print(context, { attempt: { id, ...restored } }, said);
  return 0;
}
