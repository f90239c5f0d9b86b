/** Notes beside the code while the state changes: how often they are looked through, and what is being written in them. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { NoteRow } from '../../../../src/shared/note.ts';
import type { NoteComment } from '../../../../src/vscode/note/noteComments.ts';
import type { HostContext } from '../../../../src/vscode/window/context.ts';
import { FakeEmitter, fakeUri } from '../../../support/editor/fakeEditor.ts';
import { attemptRow, featureRow, jobRow, noteRow, stateOf } from '../../../support/state/builders.ts';
import { FakeClock } from '../../../support/time/fakeClock.ts';
import { untilHolds } from '../../../support/time/untilHolds.ts';

const FILE = { ...fakeUri('/work/a/x.js') };
const EDITING = 0;

interface Thread {
  comments: readonly NoteComment[];
  label: string;
}

const editor = vi.hoisted(() => ({
  threads: [] as unknown[],
  keys: [] as unknown[],
  told: [] as string[],
  commands: new Map<string, (...args: unknown[]) => Promise<void>>(),
}));

vi.mock('vscode', () => {
  const nothing = { dispose: () => undefined };
  const document = { uri: FILE, lineCount: 2, lineAt: () => ({ text: 'the line' }) };
  return {
    EventEmitter: FakeEmitter,
    Range: class {},
    Disposable: { from: () => nothing },
    CommentMode: { Editing: EDITING, Preview: 1 },
    CommentThreadCollapsibleState: { Expanded: 1 },
    l10n: { t: (text: string) => text },
    comments: {
      createCommentController: () => ({
        createCommentThread: (uri: unknown, _range: unknown, comments: readonly NoteComment[]) => {
          const thread = { uri, comments };
          editor.threads.push(thread);
          return thread;
        },
      }),
    },
    commands: {
      executeCommand: async (_: string, key: string, value: unknown) => editor.keys.push([key, value]),
      registerCommand: (id: string, run: (...args: unknown[]) => Promise<void>) => editor.commands.set(id, run),
    },
    window: {
      showInformationMessage: (text: string) => editor.told.push(text),
      visibleTextEditors: [{ document }],
      onDidChangeVisibleTextEditors: () => nothing,
    },
    workspace: {
      textDocuments: [document],
      onDidOpenTextDocument: () => nothing,
      onDidCloseTextDocument: () => nothing,
      onDidChangeTextDocument: () => nothing,
    },
  };
});

const { registerNoteEditing } = await import('../../../../src/vscode/note/editNotes.ts');
const { noteThreads } = await import('../../../../src/vscode/note/noteThreads.ts');
const { markNotedFiles } = await import('../../../../src/vscode/note/notedFiles.ts');
const { featuresByFile } = await import('../../../../src/vscode/note/featuresByFile.ts');

const NOTE = { file: 'x.js', line: 1, anchor: 'the line' };

/** An engine whose notes are counted each time they are gone through. */
function engineWith(...notes: readonly Partial<NoteRow>[]) {
  const changed = new FakeEmitter<void>();
  let rows = notes.map((row) => noteRow({ ...NOTE, ...row }));
  let scans = 0;
  const requests: unknown[] = [];
  const engine = {
    projectDir: '/work/a',
    blocker: null,
    onDidChange: changed.event,
    request: async (_: string, input: unknown) => void requests.push(input),
    get state() {
      const state = stateOf({ jobs: [jobRow()], notes: rows });
      const { notes: table } = state;
      const values = table.values.bind(table);
      table.values = () => {
        scans++;
        return values();
      };
      return state;
    },
  };
  return {
    context: { engine, log: { debug: () => undefined, error: () => undefined } } as unknown as HostContext,
    clock: new FakeClock(),
    scans: () => scans,
    requests,
    change: (...next: readonly Partial<NoteRow>[]) => {
      if (next.length > 0) rows = next.map((row) => noteRow({ ...NOTE, ...row }));
      changed.fire();
    },
  };
}

beforeEach(() => {
  editor.threads = [];
  editor.keys = [];
});

describe('a comment that is being edited', () => {
  const editing = () => {
    const at = engineWith({ id: 1, content: 'mine' });
    const threads = noteThreads(at.context, at.clock);
    const [thread] = editor.threads as Thread[];
    const comment = thread?.comments[0] as NoteComment;
    comment.mode = EDITING;
    threads.refresh(comment);
    comment.body = 'half written';
    return { ...at, threads, thread, comment };
  };

  it('keeps its words when another window replaces the note, and then replaces what holds now', () => {
    const { change, clock, thread, comment, threads } = editing();
    change({ id: 1, content: 'mine', superseded_by: 2 }, { id: 2, content: 'theirs' });
    clock.advance(1_000);
    expect(thread?.comments).toEqual([comment]);
    expect(comment).toMatchObject({ noteId: 2, body: 'half written', mode: EDITING });
    expect(comment.label).toBe('changed elsewhere meanwhile');
    comment.mode = 1;
    threads.refresh(comment);
    expect(thread?.comments).toMatchObject([{ noteId: 2, body: 'theirs', label: 'edited' }]);
  });

  it('is not saved over what another window wrote before that was shown', async () => {
    const { context, change, comment, threads, requests } = editing();
    registerNoteEditing(context, threads);
    const save = editor.commands.get('autonomous.saveNote');
    change({ id: 1, content: 'mine', superseded_by: 2 }, { id: 2, content: 'theirs' });
    await save?.(comment);
    expect(requests).toEqual([]);
    expect(comment).toMatchObject({ noteId: 2, body: 'half written', mode: EDITING });
    expect(editor.told.join()).toContain('changed elsewhere');
    await save?.(comment);
    expect(requests).toMatchObject([{ content: 'half written', supersedes: 2 }]);
  });

  it('stays as it is when another note comes', () => {
    const { change, clock, thread, comment } = editing();
    change({ id: 1, content: 'mine' }, { id: 2, content: 'more' });
    clock.advance(1_000);
    expect(thread?.comments[0]).toBe(comment);
    expect(comment.label).toBeUndefined();
    expect(thread?.comments[1]).toMatchObject({ noteId: 2, body: 'more' });
  });
});

describe('many events', () => {
  it('are one look through the notes for their threads, which misses nothing', () => {
    const at = engineWith({ id: 1 });
    noteThreads(at.context, at.clock);
    const before = at.scans();
    for (let n = 0; n < 100; n++) at.change();
    at.change({ id: 1 }, { id: 2, content: 'last' });
    at.clock.advance(1_000);
    expect(at.scans() - before).toBe(1);
    expect((editor.threads as Thread[])[0]?.comments.map(({ body }) => body)).toEqual(['Mind the gap', 'last']);
  });

  it('are one look for the files that have notes', async () => {
    const at = engineWith({ id: 1, file: 'other.js' });
    markNotedFiles(at.context, at.clock, async () => []);
    for (let n = 0; n < 100; n++) at.change();
    at.change({ id: 1 });
    at.clock.advance(1_000);
    await untilHolds(() => expect(editor.keys).toEqual([['autonomous.notedFiles', ['/work/a/x.js']]]));
    expect(at.scans()).toBe(1);
  });
});

describe('the features that changed a file', () => {
  const state = (job: string) =>
    stateOf({
      jobs: [jobRow({ id: job })],
      features: [featureRow({ job_id: job })],
      attempts: [attemptRow({ job_id: job, status: 'succeeded', commit: 'c1' })],
    });
  const engineOf = () => {
    const asked: string[] = [];
    const engine = {
      projectDir: '/work/a',
      blocker: null as string | null,
      state: state('job-1'),
      files: {
        changedPaths: async (job: string) => {
          asked.push(job);
          return job === 'job-1' ? ['x.js'] : [];
        },
      },
    };
    return { asked, engine, touched: featuresByFile({ engine, log: {} } as unknown as HostContext) };
  };

  it('are asked of git once', async () => {
    const { asked, touched } = engineOf();
    expect((await touched('x.js')).map(({ id }) => id)).toEqual([1]);
    expect(await touched('y.js')).toEqual([]);
    expect(asked).toEqual(['job-1']);
  });

  it.each(['untrusted', 'foreign', 'newer'])(
    'are not asked of git where the state is only looked at: %s',
    async (why) => {
      const { asked, engine, touched } = engineOf();
      engine.blocker = why;
      expect(await touched('x.js')).toEqual([]);
      expect(asked).toEqual([]);
      engine.blocker = null;
      expect(await touched('x.js')).toHaveLength(1);
    },
  );

  it('are those of the state that is shown, whose ids begin at 1 again', async () => {
    const { engine, touched } = engineOf();
    await touched('x.js');
    engine.state = state('job-2');
    expect(await touched('x.js')).toEqual([]);
  });
});
