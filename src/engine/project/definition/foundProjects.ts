/** Finds project folders that no event of this installation made. They are listed, and have no effect. */
import { failure, messageOf } from '../../../shared/errors.ts';
import { DEFAULT_PROJECT, MAIN_PROJECT, type ProjectDefinition } from '../../../shared/project/projects.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { checkProjectName } from '../names.ts';
import { MAX_DEFINITION_BYTES, parseDefinition, textOfFile } from './definition.ts';
import type { FoundFile, ProjectFiles } from './definitionPorts.ts';
import { faultAt } from './frontmatter.ts';

export interface FoundProject {
  readonly name: string;
  /** Reason why the folder cannot be adopted. Null if none is known without reading the file. */
  readonly fault: string | null;
}

/** Looks at so many at a time. */
const TOGETHER = 64;

const KIND_FAULTS: Readonly<Record<FoundFile['kind'], string | null>> = {
  file: null,
  large: `its PROJECT.md is over ${MAX_DEFINITION_BYTES / 1024} KiB`,
  no_file: 'it has no PROJECT.md',
  no_folder: 'it is gone',
  bare_folder: 'it has no PROJECT.md',
  refused: 'it is a link, or no folder with a PROJECT.md that is a file',
};

/** Sorted by name. Only the kind of each file is read. */
export async function findProjects(
  files: Pick<ProjectFiles, 'names' | 'probe'>,
  state: Pick<State, 'projects'>,
): Promise<readonly FoundProject[]> {
  const names = (await files.names()).filter((name) => !name.startsWith('.') && !isOurs(state, name)).sort();
  const found: FoundProject[] = [];
  for (let at = 0; at < names.length; at += TOGETHER) {
    const some = names.slice(at, at + TOGETHER);
    found.push(...(await Promise.all(some.map(async (name) => ({ name, fault: await faultOf(files, state, name) })))));
  }
  return found;
}

const isOurs = (state: Pick<State, 'projects'>, name: string): boolean =>
  state.projects.has(name) || name === DEFAULT_PROJECT || name === MAIN_PROJECT;

async function faultOf(
  files: Pick<ProjectFiles, 'probe'>,
  state: Pick<State, 'projects'>,
  name: string,
): Promise<string | null> {
  if (isOurs(state, name.toLowerCase()))
    return `its name is that of the project ${name.toLowerCase()} but for the case`;
  try {
    checkProjectName(name);
  } catch (thrown) {
    return messageOf(thrown);
  }
  return KIND_FAULTS[await files.probe(name)];
}

/** The definition in such a folder. Throws NOT_FOUND, or INVALID_INPUT with the line. */
export async function foundDefinition(files: Pick<ProjectFiles, 'look'>, name: string): Promise<ProjectDefinition> {
  const found = await files.look(name);
  if (found.kind !== 'file') {
    throw failure(
      found.kind === 'no_folder' ? 'NOT_FOUND' : 'INVALID_INPUT',
      `${name} cannot be adopted: ${KIND_FAULTS[found.kind]}`,
    );
  }
  try {
    const { file, lines } = parseDefinition(textOfFile(found.bytes));
    if (file.name !== name) throw faultAt(lines.get('name') ?? 1, `name is ${file.name}, but the folder is ${name}`);
    return file.definition;
  } catch (cause) {
    throw failure('INVALID_INPUT', `PROJECT.md of ${name}: ${messageOf(cause)}`, { cause });
  }
}

/** Checks that a new project's folder does not exist. Throws INVALID_INPUT. */
export async function checkFree(files: Pick<ProjectFiles, 'probe'>, name: string): Promise<void> {
  if ((await files.probe(name)) === 'no_folder') return;
  throw failure(
    'INVALID_INPUT',
    `there is a folder of a project ${name} already, which this workspace did not create`,
    {
      hint: `Take it over with \`autonomous project adopt ${name}\`, or choose another name.`,
    },
  );
}
