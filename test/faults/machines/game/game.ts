/** A game: some options, then commands to the loop and requests of people, one after the other. */
import { reduce } from '../../../../src/core/workspace/reduce.ts';
import { GATES, type JobOptions } from '../../../../src/shared/job/rows.ts';
import { JOB_ID, PROJECT_ID } from '../../../support/state/builders.ts';
import { briefSubmitted } from '../../../support/state/fold.ts';
import { randomPlan } from './flights.ts';
import { idsFor, playStep } from './loop.ts';
import { ANY_LUCK, FAIR_LUCK, type Luck } from './luck.ts';
import { playRequest } from './steward.ts';
import { createWorld, type Dice, diceOf, type World } from './world.ts';

function randomOptions(dice: Dice): Partial<JobOptions> {
  return {
    gates: GATES.filter(() => dice(2) === 0),
    maxPhaseAttempts: 1 + dice(3),
    maxRetries: 1 + dice(3),
    batch: 1 + dice(3),
  };
}

/** Half of the games begin with a brief, half with an accepted plan. */
function begun(dice: Dice, judged: typeof reduce): World {
  const world = createWorld(judged);
  world.commit({ type: 'project_created', project: { id: PROJECT_ID, model: null, workdir: null } });
  world.commit(briefSubmitted(randomOptions(dice)));
  if (dice(2) === 0) return world;
  const made = { clone_dir: '/clone', baseline: 'base', base_branch: 'main', snapshot: false, head: 'base' };
  world.commit({ type: 'clone_made', job_id: JOB_ID, ...made });
  world.commit({ type: 'setup_finished', job_id: JOB_ID, evidence: [], head: 'base' });
  const plan = randomPlan(dice);
  world.commit({ type: 'plan_proposed', job_id: JOB_ID, plan_version: 1, plan, by: 'planner', session: null });
  world.commit({ type: 'plan_accepted', job_id: JOB_ID, plan_version: 1, ids: idsFor(world, plan), by: 'yes_flag' });
  if (dice(2) === 0) sideBySide(world, dice);
  return world;
}

/** Some features are tried by several agents from the start. */
function sideBySide(world: World, dice: Dice): void {
  for (const id of [...world.state.features.keys()].filter(() => dice(2) === 0)) {
    const executors = ['one', 'two', 'three'].slice(dice(2));
    world.commit({ type: 'feature_executors_chosen', id, executors, by: 'steward' });
  }
}

function playSteps(world: World, dice: Dice, luck: Luck): void {
  for (let steps = dice(8); steps >= 0; steps--) playStep(world, dice, luck);
}

/** Most commands let the loop go on a little. A command is a number, so that a failing game shrinks to a short one. */
function playCommand(world: World, command: number, luck: Luck): void {
  const dice = diceOf(command);
  if (dice(10) < 3) playRequest(world, dice);
  else playSteps(world, dice, luck);
}

/** A world in which all this has happened; everybody is alive. */
export function game(
  start: number,
  moves: readonly number[],
  judged = reduce,
): { readonly world: World; readonly dice: Dice } {
  const dice = diceOf(start);
  const luck = dice(3) === 0 ? ANY_LUCK : FAIR_LUCK;
  const world = begun(dice, judged);
  for (const move of moves) playCommand(world, move, luck);
  world.fuse = null;
  return { world, dice };
}
