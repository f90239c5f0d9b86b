/** The document of a task: saving one that was not started defines it anew; what is no task is not saved; a started one is read only. */
import { beforeEach, expect, it, vi } from 'vitest';
import { readTaskText, writeTaskText } from '../../../../../src/engine/task/text/taskText.ts';
import type { State } from '../../../../../src/shared/workspace/state.ts';
import type { TaskDocuments } from '../../../../../src/vscode/task/text/taskDocuments.ts';
import type { HostContext } from '../../../../../src/vscode/window/context.ts';
import { startFold } from '../../../../support/state/fold.ts';
import { playedTask } from '../../../../support/state/taskRows.ts';

class Refused extends Error {}

vi.mock('vscode', () => ({
  l10n: { t: (text: string, ...values: unknown[]) => text.replaceAll(/\{(\d)\}/g, (_, at) => String(values[at])) },
  FileType: { File: 1 },
  FilePermission: { Readonly: 1 },
  FileChangeType: { Changed: 1 },
  FileSystemError: { Unavailable: (text: string) => new Refused(text), FileNotFound: () => new Refused('gone') },
  Uri: { from: ({ scheme, path }: { scheme: string; path: string }) => ({ scheme, path }) },
}));

const { taskFiles, taskUri } = await import('../../../../../src/vscode/task/text/taskFiles.ts');

const ID = 'task-0a1b2c3d';
const texts = {
  read: async (text: string) => readTaskText(text, 0, null),
  write: async (definition: Parameters<typeof writeTaskText>[0]) => writeTaskText(definition),
} as TaskDocuments;

function stateWith(isStarted: boolean): State {
  const fold = startFold();
  const step = { name: 'Ask', action: 'llm_generate', params: { prompt: 'What?' } };
  const task = playedTask([step], { name: 'Research' }, fold, ID);
  if (isStarted) task.start();
  return fold.state;
}

const requests: unknown[] = [];

function open(isStarted = false) {
  const engine = {
    state: stateWith(isStarted),
    open: async () => null,
    look: async () => undefined,
    onDidChange: () => ({ dispose: () => undefined }),
    request: async (...request: unknown[]) => void requests.push(request),
  };
  return taskFiles({ engine } as unknown as HostContext, texts, () => undefined);
}

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const bytes = (words: string): Uint8Array => new TextEncoder().encode(words);

beforeEach(() => {
  requests.length = 0;
});

it('gives what it shows back as a definition, with what was changed', async () => {
  const files = open();
  const shown = text(await files.readFile(taskUri(ID)));
  expect(shown).toContain('# Saving redefines the task');
  await files.writeFile(taskUri(ID), bytes(shown.replace('What?', 'Why?')));
  const [[name, input]] = requests as [[string, { taskId: string; definition: object }]];
  expect([name, input.taskId]).toEqual(['defineTask', ID]);
  expect(input.definition).toMatchObject({ name: 'Research', steps: [{ name: 'Ask', params: { prompt: 'Why?' } }] });
  expect(input.definition).not.toHaveProperty('parameters');
});

it('keeps what cannot start yet, and not what is no task', async () => {
  const files = open();
  await files.writeFile(
    taskUri(ID),
    bytes('name: A\nsteps:\n  - { name: B, action: wait, params: { minutes: "{{C}}" } }'),
  );
  expect(requests).toHaveLength(1);
  await expect(files.writeFile(taskUri(ID), bytes('name: [A'))).rejects.toThrow('This is not a valid task');
  expect(requests).toHaveLength(1);
});

it('is read only once it was started, and says why', async () => {
  const files = open(true);
  expect(await files.stat(taskUri(ID))).toMatchObject({ permissions: 1 });
  expect(text(await files.readFile(taskUri(ID)))).toMatch(/^# Read-only: the task is running/);
  expect(await open().stat(taskUri(ID))).not.toHaveProperty('permissions');
});

it('says of a task that is gone that it is', async () => {
  await expect(open().stat(taskUri('task-ffffffff'))).rejects.toThrow('gone');
});
