/** Finds everything for which a start of a task's steps would be refused, each as a value with its path. */
import { type JsonObject, TASK_LIMITS } from '../../../shared/task/tasks.ts';
import { commandProblem } from './commandText.ts';
import { readCondition } from './conditions.ts';
import { branchNames, circle, type StepShape, type TaskGraph, taskGraph } from './graph.ts';
import { schemaProblem } from './output.ts';
import { isBuiltIn, writtenParamProblems } from './params.ts';
import { isReservedName, type Path, parameterOf, pieces, referencesIn, resolveReference } from './references.ts';

/** The common part of definitions and rows. */
export interface CheckedStep extends StepShape {
  readonly output?: JsonObject | null | undefined;
}

export interface CheckContext {
  readonly nowMs: number;
  /** Registered custom actions. Null if they are not known here: then any action is accepted. */
  readonly actions: readonly string[] | null;
  /** For a template: its parameters, which params may refer to. */
  readonly parameters?: readonly string[] | undefined;
}

export interface Problem {
  /** Position from 0. Null for the task as a whole. */
  readonly step: number | null;
  /** Within the step, as `['params', 'prompt']`. */
  readonly path: Path;
  readonly text: string;
}

/** More problems would not help a reader. */
const MOST_PROBLEMS = 100;
const MOST_NAMED = 10;

export function problemsOf(steps: readonly CheckedStep[], context: CheckContext): readonly Problem[] {
  const whole = (text: string): Problem => ({ step: null, path: [], text });
  if (steps.length === 0) return [whole('the task has no steps')];
  if (steps.length > TASK_LIMITS.steps) {
    return [whole(`the task has ${steps.length} steps, and ${TASK_LIMITS.steps} is the most`)];
  }
  const graph = taskGraph(steps);
  const problems = steps.flatMap((step, position) =>
    stepProblems(step, position, graph, context).map((problem): Problem => ({ step: position, ...problem })),
  );
  const round = circle(graph);
  return round === null ? problems : [...problems, whole(circleText(steps, round))];
}

/** One sentence each, for a person. If there are too many, the first ones and the number of the others. */
export function problemSentences(steps: readonly CheckedStep[], context: CheckContext): readonly string[] {
  const problems = problemsOf(steps, context);
  const shown = problems.slice(0, MOST_PROBLEMS).map((problem) => problemSentence(steps, problem));
  const left = problems.length - shown.length;
  return left === 0 ? shown : [...shown, `and ${left} more`];
}

function problemSentence(steps: readonly CheckedStep[], { step, path, text }: Problem): string {
  const name = step === null ? undefined : steps[step]?.name;
  if (step === null || name === undefined) return text;
  return `step ${step + 1} "${name}": ${path.length === 0 ? '' : `${pathText(path)}: `}${text}`;
}

/** In the written form: `params.items[0].title`. */
export function pathText(path: Path): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? part : `${text}.${part}`;
  }, '');
}

type Found = Omit<Problem, 'step'>;

function stepProblems(step: CheckedStep, position: number, graph: TaskGraph, context: CheckContext): readonly Found[] {
  return [
    ...nameProblems(step, position, graph),
    ...needProblems(step, graph),
    ...actionProblems(step, context),
    ...referenceProblems(step, graph, context),
    ...(step.action === 'conditional' ? conditionalProblems(step, position, graph) : []),
    ...(step.action === 'command' ? commandProblems(step) : []),
    ...outputProblems(step),
  ];
}

function nameProblems({ name }: CheckedStep, position: number, { names }: TaskGraph): readonly Found[] {
  const path = ['name'];
  const first = names.positions.get(name);
  if (first !== undefined && first !== position) {
    return [{ path, text: `step ${first + 1} has this name already; names of steps must be unique` }];
  }
  if (!isReservedName(name)) return [];
  return [{ path, text: 'a name may neither look like step_1_result nor start with params.' }];
}

function needProblems({ name, needs }: CheckedStep, { names }: TaskGraph): readonly Found[] {
  return (needs ?? []).flatMap((need, index): readonly Found[] => {
    if (need === name) return [{ path: ['needs', index], text: 'a step cannot need itself' }];
    if (names.positions.has(need)) return [];
    return [{ path: ['needs', index], text: `there is no step "${need}"` }];
  });
}

function actionProblems({ action, params }: CheckedStep, { nowMs, actions }: CheckContext): readonly Found[] {
  if (isBuiltIn(action)) {
    return writtenParamProblems(action, params, nowMs).map(({ path, text }) => ({ path: ['params', ...path], text }));
  }
  if (actions === null || actions.includes(action)) return [];
  const there = actions.length === 0 ? 'no action is registered' : `registered actions: ${actions.join(', ')}`;
  return [{ path: ['action'], text: `no extension has registered the action ${action}; ${there}` }];
}

function referenceProblems(
  { action, params }: CheckedStep,
  { names }: TaskGraph,
  context: CheckContext,
): readonly Found[] {
  const found = Array.from(referencesIn(action, params)).flatMap(({ path, reference }): readonly Found[] => {
    // The check of conditions reports the references of a condition.
    if (action === 'conditional' && path[0] === 'condition' && parameterOf(reference) === null) return [];
    const text = referenceProblem(reference, names, context);
    return text === null ? [] : [{ path: ['params', ...path], text }];
  });
  return [...new Map(found.map((one) => [`${pathText(one.path)} ${one.text}`, one])).values()];
}

function referenceProblem(reference: string, names: TaskGraph['names'], { parameters }: CheckContext): string | null {
  const parameter = parameterOf(reference);
  if (parameter === null) {
    const target = resolveReference(reference, names);
    return 'problem' in target ? target.problem : null;
  }
  if (parameters?.includes(parameter)) return null;
  return parameters === undefined
    ? `{{${reference}}} is a blank of a template: make the task of the template, with its parameters`
    : `{{${reference}}}: the template has no parameter ${parameter}`;
}

function conditionalProblems(step: CheckedStep, position: number, graph: TaskGraph): readonly Found[] {
  const sides = (['ifTrue', 'ifFalse'] as const).flatMap((side) =>
    branchNames(step, side).flatMap((name, index): readonly Found[] => {
      const text = branchProblem(name, side, position, graph);
      if (text === null) return [];
      return [{ path: Array.isArray(step.params[side]) ? ['params', side, index] : ['params', side], text }];
    }),
  );
  const condition = step.params['condition'];
  if (typeof condition !== 'string' || hasBlanks(condition)) return sides;
  const read = readCondition(condition, graph.names);
  return 'problem' in read ? [{ path: ['params', 'condition'], text: read.problem }, ...sides] : sides;
}

/** Such a condition is parsed once its parameters are filled in. */
const hasBlanks = (condition: string): boolean =>
  pieces(condition).some((piece) => 'reference' in piece && parameterOf(piece.reference) !== null);

function branchProblem(name: string, side: 'ifTrue' | 'ifFalse', position: number, graph: TaskGraph): string | null {
  const at = graph.names.positions.get(name);
  if (at === undefined) return `there is no step "${name}"`;
  if (at === position) return 'a conditional cannot be its own branch';
  const branch = graph.branches[at];
  if (!branch || (branch.of === position && branch.when === (side === 'ifTrue'))) return null;
  if (branch.of === position) return `"${name}" is in the other branch too`;
  return `"${name}" is a branch of step ${branch.of + 1} already; a step belongs to one conditional`;
}

function commandProblems({ params }: CheckedStep): readonly Found[] {
  const { command } = params;
  const problem = typeof command === 'string' ? commandProblem(pieces(command)) : null;
  if (problem === null) return [];
  return [{ path: ['params', 'command'], text: `{{${problem.reference}}} ${problem.why}` }];
}

function outputProblems({ output }: CheckedStep): readonly Found[] {
  const text = output === undefined || output === null ? null : schemaProblem(output);
  return text === null ? [] : [{ path: ['output'], text }];
}

function circleText(steps: readonly CheckedStep[], round: readonly number[]): string {
  const named = round.slice(0, MOST_NAMED).map((position) => `"${steps[position]?.name}"`);
  const rest = round.length > MOST_NAMED ? [`${round.length - MOST_NAMED} more`] : [];
  const chain = [...named, ...rest, named[0]].join(' needs ');
  return round.length === 1
    ? `step ${named[0]} depends on itself: it refers to its own result`
    : `these steps wait for each other: ${chain}`;
}
