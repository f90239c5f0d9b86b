/** Finds the scenario that a job names: a built-in one or a file. */
import { readFile } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { failure } from '../../shared/errors.ts';
import { checkScenario, parseScenario, type Scenario } from './scenario.ts';
import { demoScenario } from './scenarios/demo.ts';
import { genericScenario } from './scenarios/generic.ts';
import { projectsScenario } from './scenarios/projects.ts';
import { tasksScenario } from './scenarios/tasks.ts';

const BUILT_IN = {
  generic: genericScenario,
  demo: demoScenario,
  projects: projectsScenario,
  tasks: tasksScenario,
} as const;

/**
 * `null` or `generic`: any brief. `demo`: the built-in program. `projects`: three projects side by side. `tasks`: a market research. Else the absolute path of a YAML or JSON file.
 * Throws SCENARIO_INVALID with what is wrong, NOT_FOUND when the file cannot be read.
 */
export async function loadScenario(name: string | null): Promise<Scenario> {
  const ref = name ?? 'generic';
  if (isBuiltIn(ref)) return checkScenario(BUILT_IN[ref], ref);
  if (!isAbsolute(ref)) {
    throw failure('NOT_FOUND', `no built-in scenario is called "${ref}"`, {
      hint: 'Give "generic", "demo", "projects", "tasks", or the absolute path of a scenario file.',
    });
  }
  return parseScenario(await readScenarioFile(ref), ref);
}

function isBuiltIn(name: string): name is keyof typeof BUILT_IN {
  return Object.hasOwn(BUILT_IN, name);
}

async function readScenarioFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw failure('NOT_FOUND', `the scenario file ${path} cannot be read`, { details: { path }, cause });
  }
}
