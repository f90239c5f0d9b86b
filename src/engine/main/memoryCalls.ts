/** Tools about what is kept: notes, and the memory of projects. */
import { noteAuthor } from '../../core/note/notes.ts';
import { need } from '../../core/state/rows.ts';
import { failure } from '../../shared/errors.ts';
import type { NoteRow } from '../../shared/note.ts';
import type { MainToolInput } from '../../shared/workspace/mainTools.ts';
import { listed, quoted, quotedBlock } from '../session/quoted.ts';
import type { MainAgentTools } from './mainAgentTools.ts';

const LONGEST_FILE = 32_000;

function noteLine(note: NoteRow): string {
  const { id, feature_id, category, content, file, line } = note;
  const scope =
    feature_id !== null ? `feature ${feature_id}` : category !== null ? `category ${quoted(category)}` : 'all';
  const place = file === null ? '' : `, at ${quoted(line === null ? file : `${file}:${line}`)}`;
  return `- note ${id} for ${scope}${place}, by ${noteAuthor(note)}: ${quoted(content)}`;
}

export const memoryCalls = {
  list_notes: async (tools: MainAgentTools, { feature, category }: MainToolInput<'list_notes'>) => {
    if (feature !== undefined) need(tools.state, 'features', feature);
    const notes = [...tools.state.notes.values()]
      .filter(({ superseded_by }) => superseded_by === null)
      .filter((row) => feature === undefined || row.feature_id === feature)
      .filter((row) => category === undefined || row.category === category);
    const scope =
      feature !== undefined
        ? ` for feature ${feature}`
        : category !== undefined
          ? ` in category ${quoted(category)}`
          : '';
    return listed(notes.map(noteLine), `There are no notes${scope}.`);
  },

  add_note: async (tools: MainAgentTools, { content, feature, category }: MainToolInput<'add_note'>) => {
    if (feature !== undefined && category !== undefined) {
      throw failure('INVALID_INPUT', 'a note has one scope: a feature or a category, not both');
    }
    if (feature !== undefined) need(tools.state, 'features', feature);
    const scope = { featureId: feature ?? null, category: category ?? null };
    const same = [...tools.state.notes.values()].find(
      (row) =>
        row.superseded_by === null &&
        row.content === content &&
        row.feature_id === scope.featureId &&
        row.category === scope.category,
    );
    if (same !== undefined) return `Note ${same.id} has that text already.`;
    const { noteId } = await tools.request('addNote', { ...scope, content, by: 'main' });
    return `Kept as note ${noteId}.`;
  },

  read_project_memory: async (tools: MainAgentTools, { project, path }: MainToolInput<'read_project_memory'>) => {
    need(tools.state, 'projects', project);
    // The door let only the main agent through.
    if (tools.readMemory === null) throw new Error('memory cannot be read by this caller');
    const text = await tools.readMemory(project, path ?? null);
    const what = path === undefined ? 'Files of' : `${quoted(path)} in`;
    return `${what} the memory of project ${project}:\n${quotedBlock(text, LONGEST_FILE)}`;
  },
};
