/** `plan show`, `plan edit`, `plan export`: the plan as the steward reads and changes it. */
import { resolve } from 'node:path';
import { lanesOf } from '../../core/job/lanes.ts';
import { editablePlan, samePlan } from '../../core/job/plan/planEditing.ts';
import { failure, messageOf } from '../../shared/errors.ts';
import { type Plan, planSchema } from '../../shared/job/plan.ts';
import type { JobRow, PlanRow } from '../../shared/job/rows.ts';
import type { State } from '../../shared/workspace/state.ts';
import { type Context, command, findJob, print, readState, withEngine } from '../screen/context.ts';
import { usage } from '../text/parse.ts';
import { planText } from './planText.ts';

interface JobPlan {
  readonly job: JobRow;
  readonly row: PlanRow;
  /** The editable form: for a running job with the ids of its parts, so that an edit keeps them. */
  readonly plan: Plan;
}

async function jobPlan(context: Context, id: string | undefined): Promise<JobPlan> {
  const state = await readState(context);
  const job = findJob(context, state, id);
  const row = planOf(state, job);
  if (row === undefined) throw failure('NOT_FOUND', `job ${job.id} has no plan yet`);
  return { job, row, plan: editablePlan(state, job) ?? row.plan };
}

function planOf(state: State, job: JobRow): PlanRow | undefined {
  return [...state.plans.values()].find((row) => row.job_id === job.id && row.version === job.plan_version);
}

const facts = ({ job, row }: JobPlan) => ({
  job: job.id,
  plan_version: row.version,
  accepted: job.plan_accepted,
  by: row.by,
});

export async function planShowVerb(context: Context, id: string | undefined): Promise<number> {
  const found = await jobPlan(context, id);
  const { job, row, plan } = found;
  const standing = job.plan_accepted ? 'accepted' : 'not accepted yet';
  print(
    context,
    { ...facts(found), plan },
    `Plan ${row.version} of job ${job.id}, by the ${row.by}, ${standing}\n\n${planText(plan, lanesOf(job))}`,
  );
  return 0;
}

/** The plan alone, as `plan edit --file` takes it back. */
export async function planExportVerb(
  context: Context,
  id: string | undefined,
  options: { readonly file?: string },
): Promise<number> {
  const found = await jobPlan(context, id);
  const text = `${JSON.stringify(found.plan, null, 2)}\n`;
  if (options.file === undefined) {
    context.deps.io.out(text);
    return 0;
  }
  const file = resolve(context.deps.cwd, options.file);
  await context.deps.io.writeFile(file, text);
  print(context, { ...facts(found), file }, `Plan ${found.row.version} is in ${file}`);
  return 0;
}

export async function planEditVerb(
  context: Context,
  id: string | undefined,
  options: { readonly file?: string },
): Promise<number> {
  const found = await jobPlan(context, id);
  const plan = parsePlan(await editedText(context, found, options.file));
  if (samePlan(plan, found.plan)) {
    print(context, { ...facts(found), changed: false }, 'Nothing was changed.');
    return 0;
  }
  const owner = await withEngine(context, async (engine) => {
    await engine.request('editPlan', { jobId: found.job.id, plan });
    return engine.owner;
  });
  const next = owner ? `\nGo on: ${command(context, `run --resume ${found.job.id}`)}` : '';
  print(context, { ...facts(found), changed: true }, `The plan of job ${found.job.id} was changed.${next}`);
  return 0;
}

async function editedText(context: Context, { plan }: JobPlan, file: string | undefined): Promise<string> {
  const { io, cwd } = context.deps;
  if (file === '-') return io.readStdin();
  if (file !== undefined) return io.readFile(resolve(cwd, file));
  const text = await io.edit(`${JSON.stringify(plan, null, 2)}\n`, 'plan.json');
  if (text !== null) return text;
  throw usage(
    'there is no editor here',
    `Use ${command(context, 'plan export --file plan.json')}, change it, then plan edit --file plan.json`,
  );
}

function parsePlan(text: string): Plan {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw failure('INVALID_INPUT', `the plan is not valid JSON: ${messageOf(cause)}`, { cause });
  }
  const parsed = planSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw failure('INVALID_INPUT', `the plan is not valid: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
}
