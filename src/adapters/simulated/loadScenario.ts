/** Reads the scenario that a job names: a built-in one or a file. */
import { readFile, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { failure } from '../../shared/errors.ts';
import { isWithin } from '../platform/executables.ts';
import { type Call, checkScenario, type Scenario, scenarioValue } from './scenario.ts';

const BUILT_IN = ['generic', 'demo', 'projects', 'tasks'];

/**
 * `null` or `generic`: any brief. `demo`: the built-in program. `projects`: three parallel projects. `tasks`: a market
 * research. Otherwise the absolute path of a YAML or JSON file. Throws SCENARIO_INVALID with the problems, or NOT_FOUND
 * if the file cannot be read.
 */
export async function readScenario(name: string | null, assets: string): Promise<Scenario> {
  const ref = name ?? 'generic';
  const builtIn = BUILT_IN.includes(ref);
  if (!builtIn && !isAbsolute(ref)) {
    throw failure('NOT_FOUND', `no built-in scenario is called "${ref}"`, {
      hint: 'Give "generic", "demo", "projects", "tasks", or the absolute path of a scenario file.',
    });
  }
  const valueIn = async (file: string): Promise<unknown> => scenarioValue(await readScenarioFile(file), ref);
  const shipped = (one: string): string => join(assets, 'scenarios', `${one}.yaml`);
  const value = await valueIn(builtIn ? shipped(ref) : ref);
  const scenario = checkScenario(await extended(value, () => valueIn(shipped('generic')), ref), ref);
  return withFiles(scenario, builtIn ? assets : dirname(ref), ref);
}

/** A value with `extends: generic` gets the fields of the generic scenario that it does not have. */
async function extended(value: unknown, generic: () => Promise<unknown>, source: string): Promise<unknown> {
  if (typeof value !== 'object' || value === null || !('extends' in value)) return value;
  const { extends: base, ...own } = value;
  if (base !== 'generic') throw failure('SCENARIO_INVALID', `${source}: extends: only "generic" can be extended`);
  return { ...((await generic()) as object), ...own };
}

/** Reads the files that calls name into their inputs. They must be in `folder`: a scenario is no way around the sandbox. */
async function withFiles(scenario: Scenario, folder: string, source: string): Promise<Scenario> {
  const textOf = async (name: string): Promise<string> => {
    const file = resolve(folder, name);
    if (!isWithin(await realPath(file), await realPath(folder))) {
      throw failure('SCENARIO_INVALID', `${source}: the file ${name} is outside the folder of the scenario`);
    }
    return readScenarioFile(file);
  };
  return (await filled(scenario, textOf)) as Scenario;
}

async function filled(value: unknown, textOf: (name: string) => Promise<string>): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map((item) => filled(item, textOf)));
  if (typeof value !== 'object' || value === null) return value;
  if (isCall(value)) {
    const { files = {}, ...call } = value;
    const texts = Object.entries(files).map(async ([key, name]) => [key, await textOf(name)] as const);
    return { ...call, input: { ...call.input, ...Object.fromEntries(await Promise.all(texts)) } };
  }
  const items = Object.entries(value).map(async ([key, item]) => [key, await filled(item, textOf)] as const);
  return Object.fromEntries(await Promise.all(items));
}

function isCall(value: object): value is Call {
  return 'tool' in value && typeof value.tool === 'string';
}

async function readScenarioFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

function unreadable(path: string, cause: unknown): Error {
  return failure('NOT_FOUND', `the scenario file ${path} cannot be read`, { details: { path }, cause });
}
