/** Compares the current PROJECT.md of a project with the events. Decides, and changes nothing. */
import { createHash } from 'node:crypto';
import type { About } from '../../../core/approval/about.ts';
import { plainDefinition } from '../../../core/project/reduceProjects.ts';
import { unifiedDiff } from '../../../core/text/diff/unifiedDiff.ts';
import { findFailure, messageOf } from '../../../shared/errors.ts';
import { DEFAULT_PROJECT, type ProjectDefinition, type ProjectRow } from '../../../shared/project/projects.ts';
import {
  type DefinitionFile,
  MAX_DEFINITION_BYTES,
  parseDefinition,
  printDefinition,
  textOfFile,
} from './definition.ts';
import type { FoundFile } from './definitionPorts.ts';
import { faultAt } from './frontmatter.ts';

export type Verdict =
  | { readonly is: 'current' }
  /** Has the same content as the events in different words, which are kept: store the mark. */
  | { readonly is: 'reworded'; readonly mark: string }
  /** Unchanged since its last note, but the events have changed the definition. */
  | { readonly is: 'behind' }
  | { readonly is: 'missing'; readonly found: 'no_file' | 'no_folder' | 'bare_folder' }
  /** `what` continues "PROJECT.md …". */
  | { readonly is: 'broken'; readonly what: string }
  /** The status or a date was edited, which only show past events. */
  | { readonly is: 'restated' }
  | { readonly is: 'edited'; readonly edit: Edit };

export interface Edit {
  readonly definition: ProjectDefinition;
  readonly bytes: Uint8Array;
  /** The subject of the question: an answer applies to this text against this definition only. */
  readonly about: About;
  /** The change, as a diff. */
  readonly diff: string;
}

const MAX_DIFF = 64 * 1024;

const hashOf = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

function fileOf(row: ProjectRow, definition: ProjectDefinition): DefinitionFile {
  const { id: name, status, created_at, suspended_at, completed_at, archived_at } = row;
  const times = { created: created_at, suspended: suspended_at, completed: completed_at, archived: archived_at };
  return { name, status, ...times, definition };
}

/** The note about a file: its hash, and that of the definition in the events at that time. */
const markOf = (file: string | Uint8Array, known: string): string => `${hashOf(file)} ${hashOf(known)}`;

/** PROJECT.md as the owner writes it, and what to note of it. */
export function writtenOf(row: ProjectRow): { readonly text: string; readonly mark: string } {
  const text = printDefinition(fileOf(row, row));
  return { text, mark: markOf(text, text) };
}

/** The default project needs no file until it is defined. */
export const needsFile = (row: ProjectRow): boolean =>
  row.id !== DEFAULT_PROJECT || printDefinition(fileOf(row, row)) !== printDefinition(fileOf(row, plainDefinition()));

/** `noted` is the last note. `checkWorkdir` is the check of a request; null is the workspace itself. */
export async function judge(
  row: ProjectRow,
  found: FoundFile,
  noted: string | null,
  checkWorkdir: (path: string) => Promise<string | null>,
): Promise<Verdict> {
  switch (found.kind) {
    case 'refused':
      return { is: 'broken', what: found.what };
    case 'large':
      return { is: 'broken', what: `is over ${MAX_DEFINITION_BYTES / 1024} KiB` };
    case 'no_file':
    case 'no_folder':
    case 'bare_folder':
      return { is: 'missing', found: found.kind };
    case 'file':
      break;
  }
  const { text: known, mark } = writtenOf(row);
  const itself = hashOf(found.bytes);
  if (noted === markOf(found.bytes, known)) return { is: 'current' };
  // The process was killed between the two writes, or after the event. Writing again repairs both.
  if (mark.startsWith(itself) || noted?.startsWith(itself) === true) return { is: 'behind' };
  try {
    return await compared(row, known, found.bytes, checkWorkdir);
  } catch (thrown) {
    if (findFailure(thrown) === undefined) throw thrown;
    return { is: 'broken', what: messageOf(thrown) };
  }
}

async function compared(
  row: ProjectRow,
  known: string,
  bytes: Uint8Array,
  checkWorkdir: (path: string) => Promise<string | null>,
): Promise<Verdict> {
  const text = textOfFile(bytes);
  const { file, lines } = parseDefinition(text);
  if (file.name !== row.id) {
    throw faultAt(lines.get('name') ?? 1, `name is ${file.name}, but the project is called ${row.id}`);
  }
  const definition = await withWorkdir(row, file.definition, lines.get('workdir') ?? 1, checkWorkdir);
  if (printDefinition(fileOf(row, definition)) === known) {
    return isSilent(row, file) ? { is: 'reworded', mark: markOf(bytes, known) } : { is: 'restated' };
  }
  // Fields about the project's life are not part of the question.
  const diff = unifiedDiff(printDefinition({ ...file, definition: row }), text, 'PROJECT.md');
  const hash = hashOf(`${hashOf(printDefinition({ ...NO_LIFE, definition: row }))}${hashOf(bytes)}`);
  const isCut = diff.length > MAX_DIFF;
  return {
    is: 'edited',
    edit: {
      definition,
      bytes,
      about: { of: 'definition', hash },
      diff: isCut ? `${diff.slice(0, MAX_DIFF)}\n[…] the rest is in the file` : diff,
    },
  };
}

/** Only for comparing definitions. */
const NO_LIFE = { name: 'x', status: null, created: null, suspended: null, completed: null, archived: null };

/** A status or date that is left out contradicts nothing. */
function isSilent(row: ProjectRow, file: DefinitionFile): boolean {
  const { name: _, definition: __, ...said } = file;
  const known: Readonly<Record<string, unknown>> = { ...fileOf(row, row) };
  return Object.entries(said).every(([field, value]) => value === null || value === known[field]);
}

async function withWorkdir(
  row: ProjectRow,
  definition: ProjectDefinition,
  line: number,
  checkWorkdir: (path: string) => Promise<string | null>,
): Promise<ProjectDefinition> {
  const { workdir } = definition;
  if (workdir === null || workdir === row.workdir) return definition;
  try {
    return { ...definition, workdir: await checkWorkdir(workdir) };
  } catch (thrown) {
    throw faultAt(line, messageOf(thrown));
  }
}
