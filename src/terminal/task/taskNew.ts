/** `task new`, `check`, `add-steps` and `edit`: tasks as YAML. */

import { isOver, need } from '../../core/state/rows.ts';
import { definitionOf } from '../../core/task/script/definition.ts';
import { effectsOf } from '../../core/task/script/effects.ts';
import type { OpenedEngine, TaskText } from '../../engine/workspace/workspace.ts';
import { failure } from '../../shared/errors.ts';
import type { StepDefinition, TaskDefinition } from '../../shared/task/tasks.ts';
import { scenarioOf } from '../job/run/brief.ts';
import { type Context, command, print, readState, withEngine } from '../screen/context.ts';
import { statusWord } from '../screen/taskText.ts';
import { plural } from '../text/format.ts';
import { parseAmount, parseProvider, usage } from '../text/parse.ts';
import { indented, visibleLine } from '../text/visible.ts';
import { findTask } from './findTask.ts';
import { followTask } from './followTask.ts';
import { runsText } from './taskActs.ts';
import { faultLine, needForm, readText, type Source, type SourceOptions, shownFault, sourceOf } from './taskSource.ts';

export interface NewTaskOptions extends SourceOptions {
  readonly project?: string;
  readonly start?: true;
  readonly follow?: true;
  readonly provider?: string;
  readonly scenario?: string;
  readonly model?: string;
  readonly budget?: string;
}

type Chosen = Partial<Pick<TaskDefinition, 'provider' | 'scenario' | 'model' | 'budgetUsd'>>;

function chosenOf(context: Context, { provider, scenario, model, budget }: NewTaskOptions): Chosen {
  if (scenario !== undefined && provider === 'anthropic') throw usage('--scenario is only for --provider simulated');
  const named = provider ?? (scenario === undefined ? undefined : 'simulated');
  return {
    ...(named === undefined ? {} : { provider: parseProvider(named) }),
    ...(scenario === undefined ? {} : { scenario: scenarioOf(context, scenario) }),
    ...(model === undefined ? {} : { model }),
    ...(budget === undefined ? {} : { budgetUsd: parseAmount(budget, '--budget') / 1e6 }),
  };
}

export async function taskNewVerb(
  context: Context,
  file: string | undefined,
  options: NewTaskOptions,
): Promise<number> {
  if (options.follow === true && options.start !== true)
    throw usage('--follow needs --start: there is nothing to see before');
  const chosen = chosenOf(context, options);
  const source = await sourceOf(context, file, options);
  const make = (engine: OpenedEngine) => makeTask(engine, source, chosen, options.project);
  if (options.follow === true) {
    const shown = async (engine: OpenedEngine): Promise<Made> => {
      const made = await make(engine);
      const lines = effectLines(made.definition).map((line) => `${line}\n`);
      if (!context.json) context.deps.io.out(lines.join(''));
      return made;
    };
    return followTask(context, async (engine) => (await makeAndStart(context, engine, shown)).taskId);
  }
  const { owner, ...made } = await withEngine(context, async (engine) => ({
    ...(options.start === true ? await makeAndStart(context, engine, make) : await make(engine)),
    owner: engine.owner,
  }));
  const { taskId, problems, definition } = made;
  const text = [
    `Made task ${taskId}: ${visibleLine(definition.name)}, ${plural(definition.steps.length, 'step')}`,
    ...problemLines(problems),
    ...effectLines(definition),
    options.start === true
      ? `It is started. ${runsText(context, taskId, owner)}`
      : `Start it: ${command(context, `task start ${taskId} --follow`)}`,
  ];
  const status = options.start === true ? 'RUNNING' : 'PENDING';
  const json = { task: { id: taskId, status }, problems, effects: effectsOf(definition), working: !owner };
  print(context, json, text.join('\n'));
  return 0;
}

interface Made {
  readonly taskId: string;
  readonly problems: readonly string[];
  readonly definition: TaskDefinition;
}

/** Options beside a template are applied to the task that is created from it. */
async function makeTask(
  engine: OpenedEngine,
  source: Source,
  chosen: Chosen,
  project: string | undefined,
): Promise<Made> {
  const place = project === undefined ? {} : { project };
  const given = 'definition' in source ? { definition: { ...source.definition, ...chosen } } : source;
  const { taskId, problems } = await engine.request('createTask', { ...place, ...given });
  const made = definitionOf(engine.state, need(engine.state, 'tasks', taskId));
  if ('definition' in source || Object.keys(chosen).length === 0) return { taskId, problems, definition: made };
  const definition = { ...made, ...chosen };
  await engine.request('defineTask', { taskId, definition });
  return { taskId, problems, definition };
}

/** Throws INVALID_INPUT if the task cannot start: it exists then, and can be edited. */
async function makeAndStart(
  context: Context,
  engine: OpenedEngine,
  make: (engine: OpenedEngine) => Promise<Made>,
): Promise<Made> {
  const made = await make(engine);
  const { taskId, problems } = made;
  if (problems.length > 0) {
    const lines = problems.map((problem) => `- ${visibleLine(problem)}`);
    throw failure('INVALID_INPUT', [`task ${taskId} is made, and cannot start:`, ...lines].join('\n'), {
      hint: `Fix it: ${command(context, `task edit ${taskId}`)}`,
    });
  }
  await engine.request('startTask', { taskId });
  return made;
}

const problemLines = (problems: readonly string[]): string[] =>
  problems.length === 0 ? [] : ['Before it can start:', ...problems.map((problem) => `  ${visibleLine(problem)}`)];

/**
 * The effects of the task besides model calls, because its text may come from another author. Each is on a separate line, since a line below a
 * comment could look like a part of it.
 */
function effectLines(definition: TaskDefinition): string[] {
  const { grants, commands, hosts, briefs, actions } = effectsOf(definition);
  const part = (title: string, all: readonly string[]): string[] =>
    all.length === 0 ? [] : [`It ${title}:`, ...all.map((one) => indented(one))];
  return [
    ...part('sets gates, ways of merging and budgets of its jobs', grants),
    ...part('runs these commands, in the sandbox and in a separate clone', commands),
    ...part('fetches from', hosts),
    ...part('files these briefs, each as a separate job', briefs),
    ...part('uses actions of extensions', actions),
  ];
}

/** Returns 0 if the task could be started, and 2 with all problems if not. */
export async function taskCheckVerb(context: Context, file: string): Promise<number> {
  const read = (await context.deps.workspaces.taskText()).read(await readText(context, file), null);
  const { task, faults } = read;
  const ok = task !== null && faults.length === 0;
  const effects = task === null ? null : effectsOf(task);
  const text = ok
    ? [
        `${visibleLine(task.name)}: ${plural(task.steps.length, 'step')}, nothing is wrong with it`,
        ...effectLines(task),
      ]
    : [...faults.map((fault) => faultLine(file, fault)), plural(faults.length, 'problem')];
  print(context, { ok, faults: faults.map(shownFault), effects }, text.join('\n'));
  return ok ? 0 : 2;
}

export async function addStepsVerb(context: Context, id: string, file: string): Promise<number> {
  const steps = stepsIn(await readText(context, file), file, await context.deps.workspaces.taskText());
  const { taskId, added } = await withEngine(context, async (engine) => {
    const task = findTask(context, engine.state, id);
    return { taskId: task.id, added: await engine.request('addTaskSteps', { taskId: task.id, steps }) };
  });
  const { stepIds, problems } = added;
  const text = [`Added ${plural(stepIds.length, 'step')} to task ${taskId}`, ...problemLines(problems)];
  print(context, { task: { id: taskId }, stepIds, problems }, text.join('\n'));
  return 0;
}

/** A whole task, of which the steps are taken, or only their list, or `steps:` alone. */
function stepsIn(text: string, file: string, tasks: TaskText): StepDefinition[] {
  const read = tasks.read(/^\s*-/.test(withoutComments(text)) ? `name: steps\nsteps:\n${text}` : withName(text), null);
  const { steps } = needForm(file, read);
  if (steps.length === 0) throw failure('INVALID_INPUT', 'there are no steps in it');
  return steps;
}

const withoutComments = (text: string): string => text.replaceAll(/^\s*(#.*)?\n/gm, '');
const withName = (text: string): string => (/^name:/m.test(text) ? text : `name: steps\n${text}`);

export async function taskEditVerb(context: Context, id: string, options: { readonly file?: string }): Promise<number> {
  const state = await readState(context);
  const task = findTask(context, state, id);
  if (task.status !== 'PENDING') {
    throw failure(
      'ILLEGAL_TRANSITION',
      `task ${task.id} is ${statusWord(task.status)}: it was started and stays as it is`,
      {
        hint: isOver(task)
          ? `Make a new one: ${command(context, 'task new <file>')}`
          : `Add steps to it: ${command(context, `task add-steps ${task.id} <file>`)}`,
      },
    );
  }
  const tasks = await context.deps.workspaces.taskText();
  const before = tasks.write(definitionOf(state, task));
  const after =
    options.file === undefined
      ? await context.deps.io.edit(before, `${task.id}.task.yaml`)
      : await readText(context, options.file);
  if (after === null) throw usage('there is no editor here', 'Give the text by --file.');
  if (after === before) {
    print(context, { task: { id: task.id }, changed: false, problems: [] }, 'Nothing changed.');
    return 0;
  }
  const form = needForm(options.file ?? task.id, tasks.read(after, null));
  const definition = tasks.filled(form, {});
  const { problems } = await withEngine(context, (engine) =>
    engine.request('defineTask', { taskId: task.id, definition }),
  );
  const text = [`Changed task ${task.id}`, ...problemLines(problems), ...effectLines(definition)];
  print(context, { task: { id: task.id }, changed: true, problems }, text.join('\n'));
  return 0;
}
