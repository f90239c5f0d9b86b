/**
 * Computes which steps must end before a step starts. By default the one before it; `needs` replaces that. A step of a branch needs its conditional,
 * and every step needs those that it refers to. Positions count from 0, in the order of the task.
 */
import type { JsonObject } from '../../../shared/task/tasks.ts';
import { referencesIn, resolveReference, type StepNames, stepNames } from './references.ts';

/** The common part of definitions and rows. */
export interface StepShape {
  readonly name: string;
  readonly action: string;
  readonly params: JsonObject;
  readonly needs?: readonly string[] | null | undefined;
}

/** `of`: the position of the conditional. The step runs if the conditional's result is `when`. */
export interface Branch {
  readonly of: number;
  readonly when: boolean;
}

export interface TaskGraph {
  readonly names: StepNames;
  /** Dependencies of each step, without duplicates, ascending. */
  readonly needs: readonly (readonly number[])[];
  readonly branches: readonly (Branch | null)[];
  /** Each step after its dependencies. Steps in a cycle are missing. */
  readonly order: readonly number[];
}

/** Ignores unknown names: the check reports them. */
export function taskGraph(steps: readonly StepShape[]): TaskGraph {
  const names = stepNames(steps);
  const { branches, lists } = branchesOf(steps, names);
  const needs = steps.map((step, position) => {
    const found = new Set<number>(explicitNeeds(step, names) ?? defaultNeeds(steps, position, branches, lists));
    const branch = branches[position];
    if (branch) found.add(branch.of);
    for (const { reference } of referencesIn(step.action, step.params)) {
      const target = resolveReference(reference, names);
      if ('position' in target) found.add(target.position);
    }
    return [...found].sort((a, b) => a - b);
  });
  return { names, needs, branches, order: inOrder(needs) };
}

const byTask = new WeakMap<readonly number[], TaskGraph>();

/** The graph of a task's rows. Cached by the list of steps, because a change of the steps replaces the list. */
export function graphOf(task: { readonly steps: readonly number[] }, steps: readonly StepShape[]): TaskGraph {
  const made = byTask.get(task.steps) ?? taskGraph(steps);
  byTask.set(task.steps, made);
  return made;
}

/** The steps that a conditional names, as positions. */
export function branchNames(step: StepShape, side: 'ifTrue' | 'ifFalse'): readonly string[] {
  const named = step.params[side];
  if (typeof named === 'string') return [named];
  return Array.isArray(named) ? named.filter((name): name is string => typeof name === 'string') : [];
}

type Lists = ReadonlyMap<number, readonly [readonly number[], readonly number[]]>;

function branchesOf(steps: readonly StepShape[], names: StepNames): { branches: (Branch | null)[]; lists: Lists } {
  const branches = steps.map((): Branch | null => null);
  const lists = new Map<number, readonly [readonly number[], readonly number[]]>();
  for (const [position, step] of steps.entries()) {
    if (step.action !== 'conditional') continue;
    const listed = (side: 'ifTrue' | 'ifFalse'): number[] =>
      branchNames(step, side).flatMap((name) => names.positions.get(name) ?? []);
    const both = [listed('ifTrue'), listed('ifFalse')] as const;
    lists.set(position, both);
    for (const at of both[0]) branches[at] ??= { of: position, when: true };
    for (const at of both[1]) branches[at] ??= { of: position, when: false };
  }
  return { branches, lists };
}

function explicitNeeds(step: StepShape, { positions }: StepNames): readonly number[] | null {
  if (step.needs === undefined || step.needs === null) return null;
  return step.needs.flatMap((name) => positions.get(name) ?? []);
}

/** A step after a branch also needs the conditional's other branch, because it is unknown which one will be taken. */
function defaultNeeds(
  steps: readonly StepShape[],
  position: number,
  branches: readonly (Branch | null)[],
  lists: Lists,
): readonly number[] {
  const own = branches[position];
  if (own) {
    const list = lists.get(own.of)?.[own.when ? 0 : 1] ?? [];
    const before = list[list.indexOf(position) - 1];
    return before === undefined ? [own.of] : [before, ...ends(before, position, lists)];
  }
  if (position === 0) return [];
  const needed = new Set([position - 1, ...ends(position - 1, position, lists)]);
  const seen = new Set<number>();
  for (let up = branches[position - 1]; up && !seen.has(up.of); up = branches[up.of]) {
    seen.add(up.of);
    for (const end of ends(up.of, position, lists)) needed.add(end);
  }
  return [...needed].filter((at) => steps[at] !== undefined);
}

/** The last steps of a conditional's branches, including nested ones, that come before `position`. */
function ends(conditional: number, position: number, lists: Lists): readonly number[] {
  const found = new Set<number>();
  const open = [conditional];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const list of lists.get(at) ?? []) {
      const last = list.at(-1);
      if (last === undefined || last >= position || found.has(last)) continue;
      found.add(last);
      open.push(last);
    }
  }
  return [...found];
}

/** Kahn's order. If several steps are possible, the first comes next. */
function inOrder(needs: readonly (readonly number[])[]): readonly number[] {
  const left = needs.map((list) => list.length);
  const dependents = needs.map((): number[] => []);
  for (const [position, list] of needs.entries()) for (const need of list) dependents[need]?.push(position);
  const order = left.flatMap((count, position) => (count === 0 ? [position] : []));
  for (let at = 0; at < order.length; at++) {
    for (const dependent of dependents[order[at] ?? -1] ?? []) {
      const rest = (left[dependent] ?? 0) - 1;
      left[dependent] = rest;
      if (rest === 0) order.push(dependent);
    }
  }
  return order;
}

/** A cycle of steps that wait for each other, each needing the next. Null if there is none. */
export function circle({ needs, order }: TaskGraph): readonly number[] | null {
  if (order.length === needs.length) return null;
  const free = new Set(order);
  const path: number[] = [];
  const placeOf = new Map<number, number>();
  let at = needs.findIndex((_, position) => !free.has(position));
  while (!placeOf.has(at)) {
    placeOf.set(at, path.length);
    path.push(at);
    const next = needs[at]?.find((need) => !free.has(need));
    if (next === undefined) return null;
    at = next;
  }
  return path.slice(placeOf.get(at));
}
