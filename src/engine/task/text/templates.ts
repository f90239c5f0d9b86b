/**
 * Reads task templates. The user's templates hide the built-in ones, and both hide those of the workspace, whose author is
 * unknown.
 */
import { refuseGrants } from '../../../core/guard/grants.ts';
import { failure } from '../../../shared/errors.ts';
import type { TaskDefinition, TaskTemplate } from '../../../shared/task/tasks.ts';
import type { ListedTemplate } from '../../../shared/task/taskText.ts';
import { readTaskText, writeTaskText } from './taskText.ts';
import { fillTemplate, type Parameters } from './templateParameters.ts';
import type { TemplateFolder, TemplateKeep } from './templatePorts.ts';

const NAME = /^[a-z0-9][a-z0-9-]{0,62}$/;

const ORIGINS = ['user', 'built-in', 'workspace'] as const;

/** The first that has a name counts. */
function inOrder(folders: readonly TemplateFolder[]): readonly TemplateFolder[] {
  return ORIGINS.flatMap((wanted) => folders.filter(({ origin }) => origin === wanted));
}

/** Sorted by name. */
export async function listTemplates(
  folders: readonly TemplateFolder[],
  nowMs: number,
): Promise<readonly ListedTemplate[]> {
  const found = new Map<string, ListedTemplate>();
  for (const source of inOrder(folders)) {
    for (const name of await source.names()) {
      if (!NAME.test(name) || found.has(name)) continue;
      const file = await source.read(name);
      if (file === null) continue;
      const { task } = readTaskText(new TextDecoder().decode(file.bytes), nowMs, null);
      found.set(name, { name, description: task?.description ?? '', origin: source.origin });
    }
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The text as in its file. Throws NOT_FOUND with the available names, or INVALID_INPUT for a file that is not text. */
export async function templateText(folders: readonly TemplateFolder[], name: string): Promise<string> {
  return (await find(folders, name)).text;
}

interface Found {
  readonly text: string;
  readonly path: string;
  readonly origin: TemplateFolder['origin'];
}

async function find(folders: readonly TemplateFolder[], name: string): Promise<Found> {
  const sources = inOrder(folders);
  for (const source of NAME.test(name) ? sources : []) {
    const file = await source.read(name);
    if (file !== null) return { text: decoded(file), path: file.path, origin: source.origin };
  }
  const all = (await Promise.all(sources.map((source) => source.names()))).flat();
  const names = [...new Set(all.filter((one) => NAME.test(one)))].sort();
  throw failure('NOT_FOUND', `there is no template of tasks ${name}`, { hint: `There are: ${names.join(', ')}.` });
}

function decoded({ path, bytes }: { readonly path: string; readonly bytes: Uint8Array }): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (thrown) {
    throw failure('INVALID_INPUT', `the template ${path} is not text`, { cause: thrown });
  }
}

/**
 * Throws NOT_FOUND, INVALID_INPUT with what is wrong and where, or NOT_PERMITTED for one that grants what only a person does.
 * Custom actions are looked at when the task starts.
 */
export async function loadTemplate(
  folders: readonly TemplateFolder[],
  name: string,
  nowMs: number,
): Promise<TaskTemplate> {
  const { text, path, origin } = await find(folders, name);
  const { task, faults } = readTaskText(text, nowMs, null);
  if (task !== null && faults.length === 0) {
    refuseGrants(task.steps, origin === 'workspace' ? 'workspace' : 'steward');
    return task;
  }
  const said = faults.map(({ line, column, message }) => `line ${line + 1}, column ${column + 1}: ${message}`);
  throw failure('INVALID_INPUT', `the template ${path} cannot be used: ${said.join('; ')}`);
}

export interface MadeOf {
  readonly definition?: TaskDefinition | undefined;
  readonly template?: string | undefined;
  readonly parameters?: Parameters | undefined;
}

/** The definition as it was given, or the template's with its parameters filled in. Throws INVALID_INPUT or NOT_FOUND. */
export async function madeDefinition(
  folders: readonly TemplateFolder[],
  { definition, template, parameters }: MadeOf,
  nowMs: number,
): Promise<TaskDefinition> {
  if (template === undefined) {
    if (parameters !== undefined) throw failure('INVALID_INPUT', 'parameters need the template that they are of');
    if (definition !== undefined) return definition;
    throw failure('INVALID_INPUT', 'say what the task is: a definition or a template');
  }
  if (definition !== undefined) throw failure('INVALID_INPUT', 'say either a definition or a template, not both');
  return fillTemplate(await loadTemplate(folders, template, nowMs), parameters ?? {});
}

/** Throws INVALID_INPUT for an invalid name or a taken one, also by one of `folders` that would hide it. */
export async function keepTemplate(
  folders: readonly TemplateFolder[],
  files: TemplateKeep,
  definition: TaskDefinition,
  { name, replace }: { readonly name: string; readonly replace: boolean },
): Promise<string> {
  if (!NAME.test(name)) {
    throw failure('INVALID_INPUT', `a template cannot be called ${JSON.stringify(name)}`, {
      hint: 'Use small letters, digits and dashes, at most 63.',
    });
  }
  for (const { origin, read } of inOrder(folders)) {
    if (origin === 'workspace' || (await read(name)) === null) continue;
    throw failure(
      'INVALID_INPUT',
      `${origin === 'user' ? 'your own' : 'the built-in'} template ${name} would hide it`,
      {
        hint: 'Give it another name.',
      },
    );
  }
  const path = await files.keep(name, writeTaskText(definition), replace);
  if (path !== null) return path;
  throw failure('INVALID_INPUT', `there is a template ${name} already`, {
    hint: 'Confirm that the template may be replaced.',
  });
}
