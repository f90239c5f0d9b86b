/** What people do at any moment: answers, edits, pauses. Each deed may be refused, but only with a typed failure. */
import { planFaults } from '../../../../src/core/job/plan/planCheck.ts';
import { jobApprovals, jobPhases, phaseFeatures } from '../../../../src/core/state/rows.ts';
import { type Plan, type PlanFeature, planSchema } from '../../../../src/shared/job/plan.ts';
import { FEATURE_STATUSES } from '../../../../src/shared/job/rows.ts';
import { JOB_ID, planFeature, planPhase } from '../../../support/state/builders.ts';
import { isRefusal } from '../refusal.ts';
import { idsFor, restart } from './loop.ts';
import type { Dice, World } from './world.ts';

type Deed = (world: World, dice: Dice) => unknown;

const by = 'steward';
const job_id = JOB_ID;

function pending(world: World): ReturnType<typeof jobApprovals> {
  return jobApprovals(world.state, JOB_ID).filter((row) => row.status === 'pending');
}

function decide(world: World, dice: Dice, decision: 'approved' | 'rejected'): void {
  const open = pending(world);
  const approval = open[dice(Math.max(1, open.length))];
  if (approval === undefined || (approval.kind === 'merge' && approval.commit !== world.job().head)) return;
  const choice =
    decision === 'approved' ? (approval.choices[dice(Math.max(1, approval.choices.length))] ?? null) : null;
  const feedback = dice(2) === 0 ? 'do it differently' : null;
  world.commit({ type: 'approval_decided', id: approval.id, decision, choice, feedback, by });
}

function featureId(world: World, dice: Dice): number {
  const ids = [...world.state.features.keys()];
  return ids[dice(Math.max(1, ids.length))] ?? 999;
}

function planNow(world: World): Plan {
  const names = new Map([...world.state.features.values()].map((row) => [row.id, row.name]));
  const phases = jobPhases(world.state, JOB_ID).map((phase) =>
    planPhase({
      id: phase.id,
      title: phase.title,
      features: phaseFeatures(world.state, phase.id).map((row) =>
        planFeature({
          id: row.id,
          name: row.name,
          depends_on: row.depends_on.map((id) => names.get(id)).filter((name) => name !== undefined),
        }),
      ),
    }),
  );
  return { title: 'Edited', phases };
}

/** A random edit of the plan as it stands; it may be one that is refused. */
function edited(world: World, dice: Dice): Plan {
  const plan = planNow(world);
  const phase = plan.phases[dice(Math.max(1, plan.phases.length))];
  const fresh = `n${world.events.length}`;
  if (phase === undefined) return { title: 'New', phases: [planPhase({ features: [planFeature({ name: fresh })] })] };
  const feature = phase.features[dice(Math.max(1, phase.features.length))] as PlanFeature;
  const other = plan.phases[dice(plan.phases.length)];
  switch (dice(6)) {
    case 0:
      phase.features.push(planFeature({ name: fresh, depends_on: dice(2) === 0 ? [feature.name] : [] }));
      break;
    case 1:
      phase.features = phase.features.filter((row) => row !== feature);
      break;
    case 2:
      feature.depends_on = [phase.features[0]?.name ?? 'nobody'];
      break;
    case 3:
      phase.features = phase.features.filter((row) => row !== feature);
      other?.features.push(feature);
      break;
    case 4:
      plan.phases.splice(dice(2), 0, planPhase({ title: `T${fresh}`, features: [planFeature({ name: fresh })] }));
      break;
    default:
      plan.phases.reverse();
  }
  return plan;
}

function editPlan(world: World, dice: Dice): void {
  const plan = edited(world, dice);
  if (!planSchema.safeParse(plan).success || planFaults(plan).length > 0) return;
  const job = world.job();
  const version = job.plan_version + 1;
  const asked = pending(world).find((row) => row.kind === 'plan');
  world.commit({ type: 'plan_proposed', job_id, plan_version: version, plan, by, session: null });
  if (asked !== undefined) world.commit({ type: 'approval_voided', id: asked.id, reason: 'the plan was edited' });
  if (job.plan_accepted)
    world.commit({ type: 'plan_accepted', job_id, plan_version: version, ids: idsFor(world, plan), by });
}

function resume(world: World): void {
  for (const row of pending(world)) {
    if (row.kind === 'provider' || row.kind === 'limit')
      world.commit({ type: 'approval_voided', id: row.id, reason: 'tried again' });
  }
  const { status } = world.job();
  if (status === 'paused') world.commit({ type: 'job_resumed', job_id, by });
  if (status === 'waiting') world.commit({ type: 'job_woken', job_id });
}

const NO_LIMITS = { callMicroUsd: null, projectMicroUsd: null, dayMicroUsd: null, totalMicroUsd: null };

const DEEDS: readonly (readonly [weight: number, deed: Deed])[] = [
  [14, (world, dice) => decide(world, dice, 'approved')],
  [3, (world, dice) => decide(world, dice, 'rejected')],
  [
    4,
    (world, dice) => {
      const status = FEATURE_STATUSES[dice(FEATURE_STATUSES.length)] ?? 'pending';
      world.commit({ type: 'feature_set', id: featureId(world, dice), status, by, reason: null });
    },
  ],
  [2, (world, dice) => world.commit({ type: 'feature_retried', id: featureId(world, dice), by, feedback: 'again' })],
  [
    3,
    (world, dice) => {
      const executors = dice(4) === 0 ? null : ['one', 'two', 'three'].slice(dice(3));
      world.commit({ type: 'feature_executors_chosen', id: featureId(world, dice), executors, by });
    },
  ],
  [1, (world, dice) => world.commit({ type: 'feature_reordered', id: featureId(world, dice), position: dice(5) })],
  [
    1,
    (world, dice) => {
      const id = world.nextId('notes');
      const place = { file: null, line: null, anchor: null, category: null, created_by_session: null };
      const note = { id, feature_id: featureId(world, dice), content: 'look', ...place };
      world.commit({ type: 'note_added', note, supersedes: null });
    },
  ],
  [4, editPlan],
  [2, (world) => world.commit({ type: 'job_paused', job_id, reason: 'lunch', by })],
  [5, resume],
  [1, (world, dice) => (dice(6) === 0 ? world.commit({ type: 'job_cancelled', job_id, reason: 'no', by }) : undefined)],
  [1, (world) => world.commit({ type: 'limits_set', limits: { ...NO_LIMITS, dayMicroUsd: 5_000_000 }, by })],
  [1, (world) => world.commit({ type: 'job_options_changed', job_id, mergeMode: 'branch', by })],
  [2, (world) => restart(world)],
  [
    2,
    (world, dice) => {
      world.fuse = dice(3);
    },
  ],
  [
    4,
    (world) => {
      world.now += 120_000;
    },
  ],
];

const TABLE: readonly Deed[] = DEEDS.flatMap(([weight, deed]) => Array.from({ length: weight }, () => deed));

/** A random deed. One that is refused must be refused by the machines, and leaves everything as it was. */
export function playRequest(world: World, dice: Dice): void {
  const deed = TABLE[dice(TABLE.length)] as Deed;
  const { fuse } = world;
  world.fuse = null;
  try {
    deed(world, dice);
  } catch (thrown) {
    if (!isRefusal(thrown)) throw thrown;
  }
  world.fuse ??= fuse;
}
