/** Handles one PROJECT.md: writes it, asks the steward about an edit, or returns why the project cannot run with it. */
import { isAbout } from '../../../core/approval/about.ts';
import type { Parked } from '../../../core/project/parked.ts';
import { projectApprovals } from '../../../core/state/rows.ts';
import { type Clock, isoTime } from '../../../shared/clock.ts';
import { DEFAULT_PROJECT, type ProjectRow } from '../../../shared/project/projects.ts';
import type { Store } from '../../state/store.ts';
import { newMessage } from '../talk/messages.ts';
import type { ProjectFiles } from './definitionPorts.ts';
import { type Edit, judge, needsFile, type Verdict, writtenOf } from './editedDefinition.ts';
import { newQuestion } from './parking.ts';

export interface DefinitionPorts {
  readonly store: Store;
  readonly clock: Clock;
  readonly files: ProjectFiles;
  /** The same check as for a request. Null for the workspace itself. */
  checkWorkdir(path: string): Promise<string | null>;
}

/**
 * The reason for a check. `made`: the project is new, so its file may be missing. `unparked`: the steward wants it to continue.
 */
export type Occasion = 'made' | 'unparked' | 'other';

export const isLive = ({ status }: ProjectRow): boolean => status === 'active' || status === 'suspended';

const RESTATED =
  'The status and the dates in PROJECT.md only show what happened: they were put back. To change the status, suspend, resume, complete or archive the project.';
const LOST =
  'The folder of this project was deleted: its conversation, memory and skills are lost. PROJECT.md was written from scratch.';

/** Returns why the project cannot run with its file. Null if it can. */
export async function settleFile(ports: DefinitionPorts, row: ProjectRow, occasion: Occasion): Promise<Parked | null> {
  const { files } = ports;
  const verdict = await judge(row, await files.look(row.id), await files.noted(row.id), ports.checkWorkdir);
  await voidOthers(ports, row, verdict);
  if (!isLive(row)) return settleOver(ports, row, verdict);
  switch (verdict.is) {
    case 'current':
      return null;
    case 'reworded':
      await files.note(row.id, verdict.mark);
      return null;
    case 'behind':
      await write(ports, row.id);
      return null;
    case 'missing':
      return settleMissing(ports, row, verdict.found, occasion);
    case 'broken':
      return { for: 'file', what: verdict.what };
    case 'restated':
      await write(ports, row.id);
      // Another installation's fields about a project's life are not an edit.
      if (occasion !== 'made') await notifyProject(ports, row.id, RESTATED);
      return null;
    case 'edited':
      await settleEdit(ports, row, verdict.edit);
      return null;
  }
}

/** The project cannot be defined any more: an edit is stored beside its PROJECT.md. */
async function settleOver(ports: DefinitionPorts, row: ProjectRow, verdict: Verdict): Promise<null> {
  if (verdict.is === 'edited') await putBack(ports, row.id, verdict.edit);
  if (verdict.is === 'behind' || verdict.is === 'restated') await write(ports, row.id);
  return null;
}

/** Whether the project has a message. */
const hasSpoken = ({ state }: Store, id: string): boolean =>
  [...state.messages.values()].some((message) => message.project_id === id);

async function settleMissing(
  ports: DefinitionPorts,
  row: ProjectRow,
  found: 'no_file' | 'no_folder' | 'bare_folder',
  occasion: Occasion,
): Promise<Parked | null> {
  if (!needsFile(row)) return null;
  const isNoted = (await ports.files.noted(row.id)) !== null;
  // A project speaks after its file was written. The default project speaks without a file, and its conversation makes a folder.
  const speaksLater = row.id !== DEFAULT_PROJECT || found === 'no_folder';
  // Otherwise the project was just created, and a kill came before its file.
  const wasThere = isNoted || (speaksLater && hasSpoken(ports.store, row.id));
  // A folder that is deleted while it is used may be there again, with what a conversation or a memory wrote.
  const hasFolder = isNoted || found === 'no_file';
  if (!wasThere || occasion !== 'other') {
    await write(ports, row.id);
    if (wasThere && !hasFolder) await notifyProject(ports, row.id, LOST);
    return null;
  }
  const gone = hasFolder ? 'is gone' : 'is gone with its folder: conversation, memory and skills';
  return { for: 'file', what: `${gone}; unpark the project to have it written again` };
}

async function settleEdit(ports: DefinitionPorts, row: ProjectRow, edit: Edit): Promise<void> {
  const { store } = ports;
  const asked = projectApprovals(store.state, row.id).findLast((question) => isAbout(question, edit.about));
  if (asked?.status === 'pending') return;
  if (asked?.status === 'approved' && asked.choice === 'take_over') {
    const { definition } = edit;
    await store.commit({ type: 'project_defined', project_id: row.id, definition, by: 'steward' });
    await store.commit({ type: 'approval_voided', id: asked.id, reason: 'taken over' });
  } else if (asked?.status === 'approved' || asked?.status === 'rejected') {
    const kept = await putBack(ports, row.id, edit);
    await store.commit({ type: 'approval_voided', id: asked.id, reason: `put back; the edit is kept as ${kept}` });
  } else {
    const approval = newQuestion(store, row.id, {
      kind: 'definition',
      about: edit.about,
      question: `PROJECT.md of ${row.id} was edited. Take it over?`,
      detail: edit.diff,
      choices: ['take_over', 'put_back'],
    });
    await store.commit({ type: 'approval_requested', approval });
  }
}

/** Voids questions about any text other than the current one. */
async function voidOthers({ store }: DefinitionPorts, row: ProjectRow, verdict: Verdict): Promise<void> {
  const asksFor = verdict.is === 'edited' && isLive(row) ? verdict.edit.about : null;
  for (const asked of projectApprovals(store.state, row.id)) {
    if (asked.kind !== 'definition' || asked.status !== 'pending') continue;
    if (asksFor !== null && isAbout(asked, asksFor)) continue;
    await store.commit({ type: 'approval_voided', id: asked.id, reason: 'PROJECT.md is another one by now' });
  }
}

async function putBack(ports: DefinitionPorts, project: string, { bytes }: Edit): Promise<string> {
  const kept = await ports.files.keep(project, bytes, isoTime(ports.clock));
  await write(ports, project);
  return kept;
}

async function write({ store, files }: DefinitionPorts, project: string): Promise<void> {
  const row = store.state.projects.get(project);
  if (row === undefined) return;
  const { text, mark } = writtenOf(row);
  await files.write(project, text, mark);
}

/** Sends a notice in the project's conversation. */
async function notifyProject({ store }: DefinitionPorts, project: string, text: string): Promise<void> {
  await store.commit(newMessage(store, { project_id: project, direction: 'out', sender: 'engine', text }));
}
