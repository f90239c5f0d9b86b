/** Applies corrections to the plan that a planner submitted before. Whether the result is a plan is judged by its schema. */
import { PLAN_FIELDS } from '../../../shared/job/plan.ts';
import type { PlanCorrection } from '../../../shared/job/planCorrection.ts';
import { isFields } from '../../text/json.ts';

type Corrected = { readonly plan: unknown } | { readonly fault: string };

/** The path level of a list of named parts, the field with their name, and their fields. */
const LEVELS = [
  { list: 'phases', name: 'title', fields: PLAN_FIELDS.phase },
  { list: 'features', name: 'name', fields: PLAN_FIELDS.feature },
] as const;

/** Does not change `last`. Applies the corrections in order. If one fails, none applies. */
export function correctedPlan(last: unknown, corrections: readonly PlanCorrection[]): Corrected {
  const plan: unknown = structuredClone(last);
  for (const [index, correction] of corrections.entries()) {
    const fault = applied(plan, correction);
    if (fault !== null) return { fault: `corrections[${index}]: ${fault}` };
  }
  return { plan };
}

/** Changes `plan`. Returns the fault of the correction, or null. */
function applied(plan: unknown, { path, value }: PlanCorrection): string | null {
  let holder = plan;
  for (const [depth, step] of path.entries()) {
    const key = keyOf(holder, step, depth, path);
    if (typeof key === 'object') return key.fault;
    if (depth === path.length - 1) {
      set(holder as object, key, value);
      return null;
    }
    holder = (holder as Record<string, unknown>)[key];
  }
  return 'the path is empty: name a field of the plan';
}

type Step = PlanCorrection['path'][number];

/** The key or index that a step of a path means in `holder`. */
function keyOf(holder: unknown, step: Step, depth: number, path: readonly Step[]): string | number | { fault: string } {
  const level = LEVELS[Math.floor((depth - 1) / 2)];
  const place = depth === 0 ? 'the plan' : JSON.stringify(path.slice(0, depth));
  if (Array.isArray(holder)) {
    const isNamed = level !== undefined && level.list === path[depth - 1];
    return indexOf(holder, step, place, isNamed ? level.name : null);
  }
  if (!isFields(holder)) return { fault: `${place} holds nothing that ${JSON.stringify(step)} could name` };
  const fields: readonly string[] = depth === 0 ? PLAN_FIELDS.plan : (level?.fields ?? []);
  return fields.includes(String(step))
    ? String(step)
    : { fault: `${place} has no field ${JSON.stringify(step)}; its fields: ${fields.join(', ')}` };
}

function indexOf(list: readonly unknown[], step: Step, place: string, name: string | null): number | { fault: string } {
  const named = list.flatMap((item, index) => (name !== null && isFields(item) && item[name] === step ? [index] : []));
  if (named.length > 1)
    return { fault: `${place} has ${named.length} items named ${JSON.stringify(step)}: use an index` };
  const [only] = named;
  if (only !== undefined) return only;
  const index = typeof step === 'string' && !/^\d+$/.test(step) ? -1 : Number(step);
  if (Number.isInteger(index) && index >= 0 && index <= list.length) return index;
  const by = name === null ? 'an index' : `an index or a ${name}`;
  return { fault: `${place} has no item ${JSON.stringify(step)}: use ${by}; it has ${list.length}, counted from 0` };
}

function set(holder: object, key: string | number, value: unknown): void {
  if (Array.isArray(holder) && typeof key === 'number') {
    if (value === undefined) holder.splice(key, 1);
    else holder[key] = value;
    return;
  }
  if (value === undefined) Reflect.deleteProperty(holder, key);
  else Reflect.set(holder, key, value);
}
