/**
 * Notes and status for a session, scoped to it: it touches its own feature and cannot complete it, since the engine
 * decides that on evidence. The same rules for the model's tools and for the `autonomous` on the session's PATH.
 */

import { isOfOthers } from '../../../core/agent/executors.ts';
import { isSameTodo } from '../../../core/job/history/todo.ts';
import { MAX_RETRIES } from '../../../core/job/reduce/features.ts';
import { statusLine } from '../../../core/job/statusLine.ts';
import { noteLineForModel, notesFor } from '../../../core/note/notes.ts';
import { noteWords } from '../../../core/note/noteWords.ts';
import { need } from '../../../core/state/rows.ts';
import { idOf } from '../../../core/text/ids.ts';
import { asFailure } from '../../../shared/errors.ts';
import type { FeatureRow } from '../../../shared/job/rows.ts';
import { type TodoItem, todoProgress } from '../../../shared/job/todo.ts';
import type { SessionRow } from '../../../shared/session.ts';
import type { SessionPorts, SessionTools } from '../../session/ports.ts';
import type { SessionVerbs } from '../../session/sessionDirectory.ts';
import { notedPlace } from '../../session/tools/results/note.ts';
import { type JobContext, oneId } from '../context.ts';

/** Characters of one note. */
const MAX_NOTE = 16 * 1024;

interface ToolResult {
  readonly ok: boolean;
  readonly text: string;
}

const yes = (text: string): ToolResult => ({ ok: true, text });
const no = (text: string): ToolResult => ({ ok: false, text });
const noId = (word: string): ToolResult => no(`"${word}" is not a feature id: an id is digits only.`);

function here(context: JobContext, sessionId: number): { session: SessionRow; feature: FeatureRow | null } {
  const session = need(context.store.state, 'sessions', sessionId);
  const feature = session.feature_id === null ? null : need(context.store.state, 'features', session.feature_id);
  return { session, feature };
}

function setStatus(context: JobContext, sessionId: number, featureId: number, status: string): ToolResult {
  const { session, feature } = here(context, sessionId);
  if (session.role !== 'worker' || feature === null) return no('This session works on no feature.');
  if (featureId !== feature.id)
    return no(`Feature ${featureId} is not yours: this session works on feature ${feature.id}.`);
  switch (status) {
    case 'in_progress':
      return yes(`Feature ${featureId} -> in_progress`);
    case 'pending': {
      context.memory.gaveUp = true;
      const maxRetries = context.store.state.jobs.get(context.jobId)?.options.maxRetries ?? MAX_RETRIES;
      return yes(statusLine(featureId, { retryCount: feature.retry_count + 1, maxRetries }));
    }
    case 'completed':
      return no(
        'The engine decides on evidence whether a feature is completed: report done, and it runs the verify commands.',
      );
    default:
      return no(`"${status}" is not a status that you can set. Use pending or in_progress.`);
  }
}

async function addNote(
  context: JobContext,
  sessionId: number,
  note: Parameters<SessionTools['addNote']>[0],
): Promise<ToolResult> {
  const { feature } = here(context, sessionId);
  const content = note.content.trim();
  if (content === '') return no('The note is empty.');
  if (content.length > MAX_NOTE) return no(`The note has ${content.length} characters, at most ${MAX_NOTE} are kept.`);
  if (note.scope !== 'global' && feature === null) return no('This session works on no feature: use the global scope.');
  const feature_id = note.scope === 'feature' ? (feature?.id ?? null) : null;
  const category = note.scope === 'category' ? (feature?.category ?? null) : null;
  // An interrupted round runs its tools again: its earlier note exists already.
  for (const row of context.store.state.notes.values()) {
    const same = row.created_by_session === sessionId && row.content === content;
    if (same && row.feature_id === feature_id && row.category === category) return yes('Note added');
  }
  await context.store.commit({
    type: 'note_added',
    note: {
      id: await oneId(context, 'notes'),
      feature_id,
      category,
      content,
      created_by_session: sessionId,
      file: note.file ?? null,
      line: note.line ?? null,
      anchor: note.anchor ?? null,
    },
    supersedes: null,
  });
  return yes('Note added');
}

/** A list for a person to watch: it changes no status, and the same list again is not stored again. */
async function setTodo(context: JobContext, sessionId: number, items: readonly TodoItem[]): Promise<ToolResult> {
  const { attempt_id } = need(context.store.state, 'sessions', sessionId);
  const attempt = attempt_id === null ? undefined : context.store.state.attempts.get(attempt_id);
  if (attempt?.status !== 'running' || attempt.feature_id === null) return no('This session works on no feature.');
  if (!isSameTodo(attempt.todo, items))
    await context.store.commit({ type: 'attempt_todo_set', id: attempt.id, job_id: attempt.job_id, items });
  const progress = todoProgress(items);
  return yes(progress === null ? 'The list is empty.' : `Stored: ${progress.done} of ${progress.total} done.`);
}

export function sessionTools(context: JobContext, sessionId: number): SessionTools {
  return {
    addNote: (note) => addNote(context, sessionId, note),
    setTodo: (items) => setTodo(context, sessionId, items),
    notes: async () => {
      const { feature } = here(context, sessionId);
      return notesText(context, feature?.id ?? null, feature?.category ?? null);
    },
  };
}

function notesText(context: JobContext, featureId: number | null, category: string | null): string {
  const { state } = context.store;
  const feature = featureId === null ? undefined : state.features.get(featureId);
  return notesFor(state, featureId, category)
    .filter((note) => feature === undefined || !isOfOthers(state, feature, note))
    .map(noteLineForModel)
    .join('\n');
}

type NotedTree = Pick<SessionPorts, 'files' | 'workdir'>;

/**
 * `status ID STATUS`, `note ID TEXT | --category=C TEXT | --global TEXT` with `--file` and `--line`, `notes [ID [CATEGORY]]`, as
 * seed 003 prints them. A word that is not expected is refused.
 */
export function sessionVerbs(context: JobContext, sessionId: number, tree: NotedTree): SessionVerbs {
  return async (argv) => {
    try {
      const told = await answer(context, sessionId, argv, tree);
      return told.ok
        ? { exitCode: 0, stdout: told.text === '' ? '' : `${told.text}\n`, stderr: '' }
        : { exitCode: 1, stdout: '', stderr: `${told.text}\n` };
    } catch (thrown) {
      const { message, traits } = asFailure(thrown);
      return { exitCode: traits.exit, stdout: '', stderr: `${message}\n` };
    }
  };
}

async function answer(
  context: JobContext,
  sessionId: number,
  argv: readonly string[],
  tree: NotedTree,
): Promise<ToolResult> {
  const [verb, ...rest] = argv;
  if ((verb === 'status' || verb === 'notes') && rest.length > 2) return no(`${verb} takes at most two words.`);
  switch (verb) {
    case 'status': {
      const [word = '', status = ''] = rest;
      const id = idOf(word);
      return id === null ? noId(word) : setStatus(context, sessionId, id, status);
    }
    case 'note':
      return noteVerb(context, sessionId, rest, tree);
    case 'notes': {
      const [word, category] = rest;
      if (word === undefined) return yes(notesText(context, null, null));
      const id = idOf(word);
      if (id === null) return noId(word);
      const feature = need(context.store.state, 'features', id);
      return yes(notesText(context, feature.id, category ?? feature.category));
    }
    default:
      return no(`Unknown command: ${verb ?? ''}. In a session there are status, note and notes.`);
  }
}

async function noteVerb(
  context: JobContext,
  sessionId: number,
  rest: readonly string[],
  tree: NotedTree,
): Promise<ToolResult> {
  const words = noteWords(rest);
  if ('fault' in words) return no(`note: ${words.fault}.`);
  const { scope, of, content, file, line } = words;
  const { feature } = here(context, sessionId);
  if (scope === 'category' && of !== feature?.category) return no(`Category "${of}" is not yours.`);
  if (scope === 'feature') {
    const id = idOf(of);
    if (id === null) return noId(of);
    if (id !== feature?.id) return no(`Feature ${of} is not yours.`);
  }
  const place = file === null ? {} : await notedPlace({ ...tree, project: null }, file, line ?? undefined);
  if ('fault' in place) return no(`note: ${place.fault}.`);
  return addNote(context, sessionId, { scope, content, ...place });
}
