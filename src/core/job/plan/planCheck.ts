/** Checks what a schema cannot express about a plan: names are unique; dependencies exist, come no later, and form no cycle. */
import type { Plan } from '../../../shared/job/plan.ts';
import { PLAN_LIMITS } from '../../../shared/job/planLimits.ts';

/** Returns every fault in words that a planner or a person can act on. Empty if the plan can be run. */
export function planFaults(plan: Plan): string[] {
  const phaseOf = new Map<string, number>();
  const faults: string[] = [];
  plan.phases.forEach((phase, index) => {
    for (const feature of phase.features) {
      if (phaseOf.has(feature.name)) faults.push(`two features are named "${feature.name}": names must be unique`);
      phaseOf.set(feature.name, index);
    }
  });
  const features = plan.phases.reduce((sum, phase) => sum + phase.features.length, 0);
  if (features > PLAN_LIMITS.features) {
    faults.push(`the plan has ${features} features, at most ${PLAN_LIMITS.features} are allowed`);
  }
  faults.push(...repeatedTitles(plan), ...dependencyFaults(plan, phaseOf), ...commandFaults(plan));
  return faults.length > 0 ? faults : cycleFaults(plan);
}

function repeatedTitles(plan: Plan): string[] {
  const seen = new Set<string>();
  const faults: string[] = [];
  for (const { title } of plan.phases) {
    if (seen.has(title)) faults.push(`two phases are titled "${title}": titles must be unique`);
    seen.add(title);
  }
  return faults;
}

/** The steward grants setup commands one per line, so a line must be a whole command. */
function commandFaults({ phases, setup = [] }: Plan): string[] {
  const faults = setup
    .filter((command) => /[\r\n]/.test(command))
    .map(
      (command) => `the setup command \`${command.split(/[\r\n]/, 1)[0]}\` has several lines: write one line for each`,
    );
  for (const { title, verify_commands, features } of phases) {
    const own = features.find((feature) => (feature.verify_commands ?? []).length > 0);
    if (own === undefined || verify_commands.length > 0) continue;
    faults.push(`"${own.name}" has verify commands of its own, but the phase "${title}" has none for its end`);
  }
  return faults;
}

const NAMED = 20;

function knownNames(phaseOf: ReadonlyMap<string, number>): string {
  const names = [...phaseOf.keys()].slice(0, NAMED).map((name) => `"${name}"`);
  return ` (its features: ${names.join(', ')}${phaseOf.size > NAMED ? `, and ${phaseOf.size - NAMED} more` : ''})`;
}

function dependencyFaults(plan: Plan, phaseOf: ReadonlyMap<string, number>): string[] {
  const faults: string[] = [];
  plan.phases.forEach((phase, index) => {
    for (const feature of phase.features) {
      for (const name of feature.depends_on) {
        const at = phaseOf.get(name);
        if (at === undefined)
          faults.push(`"${feature.name}" depends on "${name}", which is not in the plan${knownNames(phaseOf)}`);
        else if (at > index) faults.push(`"${feature.name}" depends on "${name}" of a later phase`);
      }
    }
  });
  return faults;
}

/** Kahn's algorithm: nodes that never become free are in a cycle or depend on one. */
function cycleFaults(plan: Plan): string[] {
  const features = plan.phases.flatMap((phase) => phase.features);
  const waits = new Map(features.map((feature) => [feature.name, new Set(feature.depends_on).size]));
  const dependents = new Map<string, string[]>();
  for (const feature of features) {
    for (const name of new Set(feature.depends_on)) {
      const known = dependents.get(name);
      if (known === undefined) dependents.set(name, [feature.name]);
      else known.push(feature.name);
    }
  }
  const free = [...waits].filter(([, count]) => count === 0).map(([name]) => name);
  for (let name = free.pop(); name !== undefined; name = free.pop()) {
    waits.delete(name);
    for (const dependent of dependents.get(name) ?? []) {
      const left = (waits.get(dependent) ?? 0) - 1;
      waits.set(dependent, left);
      if (left === 0) free.push(dependent);
    }
  }
  const stuck = [...waits.keys()];
  return stuck.length === 0 ? [] : [`dependencies run in a circle among: ${stuck.slice(0, 20).join(', ')}`];
}
