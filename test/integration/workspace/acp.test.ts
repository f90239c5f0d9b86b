/** The built program as an agent of an editor, spoken to by the protocol's own client over stdio. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import * as acp from '@agentclientprotocol/sdk';
import { expect, inject, test } from 'vitest';
import { emptyRepository } from '../../support/git/gitFixture.ts';
import { testPrograms } from '../../support/process/testPrograms.ts';

const folder = realpathSync(mkdtempSync(join(inject('tempRoot'), 'acp-')));
const cli = fileURLToPath((await testPrograms(inject('tempRoot'))).program('cli'));

const makeRepository = (name: string): string => emptyRepository(join(folder, name));

const autonomous = (repo: string, ...words: string[]): string =>
  execFileSync(process.execPath, [cli, ...words, '--project-dir', repo], { encoding: 'utf8' });

interface Editor extends AsyncDisposable {
  readonly agent: acp.ClientContext;
  /** What came with `session/update`, as kind and text. */
  readonly updates: readonly string[];
  /** What was asked of the editor. */
  readonly asked: readonly string[];
  readonly child: ChildProcess;
  complaints(): string;
}

/** Like an editor: it starts the program anywhere, and says with the session which folder it is about. */
async function edit(project: string): Promise<Editor> {
  const child = spawn(process.execPath, [cli, 'acp', '--project', project], { cwd: folder });
  const updates: string[] = [];
  const asked: string[] = [];
  let complaints = '';
  child.stderr.on('data', (data: Buffer) => {
    complaints += data.toString();
  });
  const app = acp
    .client({ name: 'test' })
    .onRequest('session/request_permission', ({ params }) => {
      asked.push(String(params.toolCall.title));
      return { outcome: { outcome: 'cancelled' as const } };
    })
    .onNotification('session/update', ({ params: { update } }) => {
      const { content } = update as { readonly content?: { readonly text?: string } };
      updates.push(`${update.sessionUpdate}: ${content?.text?.trim() ?? ''}`);
    });
  const output = Writable.toWeb(child.stdin) as WritableStream<Uint8Array>;
  const input = Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>;
  const connection = app.connect(acp.ndJsonStream(output, input));
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await connection.agent.request('initialize', { protocolVersion: 1, clientCapabilities: {} });
  return {
    agent: connection.agent,
    updates,
    asked,
    child,
    complaints: () => complaints,
    [Symbol.asyncDispose]: async () => {
      child.stdin.end();
      await ended;
    },
  };
}

const prompt = (text: string): acp.ContentBlock[] => [{ type: 'text', text }];

test('a project is spoken with, hears a question as words alone, and tells what was said before', async () => {
  const repo = makeRepository('one');
  autonomous(repo, 'project', 'new', 'api-migration', 'Move it', '--scenario', 'projects');
  // The project that the finding concerns takes it when it is resumed.
  autonomous(repo, 'project', 'new', 'frontend-redesign', 'Show orders', '--provider', 'simulated');
  autonomous(repo, 'project', 'suspend', 'frontend-redesign');
  const finding = expect.stringMatching(/^agent_message_chunk: A breaking change: in version 2/);
  let sessionId = '';
  {
    await using editor = await edit('api-migration');
    const { agent, updates } = editor;
    ({ sessionId } = await agent.request('session/new', { cwd: repo, mcpServers: [] }));
    expect(updates).toEqual([]);
    const answer = await agent.request('session/prompt', { sessionId, prompt: prompt('Look at the API.') });
    expect(answer).toEqual({ stopReason: 'end_turn' });
    expect(updates).toContainEqual(finding);
    expect(updates).toContainEqual(expect.stringMatching(/^agent_thought_chunk: notify/));
    // Another folder is another workspace, and nobody else's conversation is told.
    await expect(agent.request('session/new', { cwd: folder, mcpServers: [] })).rejects.toThrow(
      'this process speaks for',
    );
    await expect(agent.request('session/load', { sessionId: 'main:1', cwd: repo, mcpServers: [] })).rejects.toThrow(
      'api-migration is spoken with here, not main',
    );
    await expect(
      agent.request('session/prompt', { sessionId, prompt: [{ type: 'image', data: '', mimeType: 'image/png' }] }),
    ).rejects.toThrow('a prompt is text and links here');
    expect([editor.asked, editor.complaints()]).toEqual([[], '']);
  }
  // A hand edit of PROJECT.md is a question to the steward.
  const file = join(repo, '.autonomous', 'projects', 'api-migration', 'PROJECT.md');
  writeFileSync(file, readFileSync(file, 'utf8').replace('Move it', 'Move all of it'));
  await using editor = await edit('api-migration');
  const { agent, updates } = editor;
  await agent.request('session/load', { sessionId, cwd: repo, mcpServers: [] });
  expect(updates).toEqual(['user_message_chunk: Look at the API.', finding]);
  const turn = agent.request('session/prompt', { sessionId, prompt: prompt('And now?') });
  await agent.notify('session/cancel', { sessionId });
  expect(await turn).toEqual({ stopReason: 'cancelled' });
  await agent.request('session/prompt', { sessionId, prompt: prompt('Go on.') });
  expect(updates.at(-1)).toMatch(/^agent_message_chunk: Question 1 \(definition\)(.*\n)+.*approve 1/);
  expect(editor.asked).toEqual([]);
});

test.each(['sub', '.', join(folder, 'missing')])('the folder %j is refused, and nothing is made there', async (cwd) => {
  await using editor = await edit('default');
  const before = readdirSync(folder);
  const params = { cwd, mcpServers: [] };
  const refused = isAbsolute(cwd) ? 'no such folder' : 'cwd must be an absolute path';
  await expect(editor.agent.request('session/new', params)).rejects.toThrow(refused);
  await expect(editor.agent.request('session/load', { ...params, sessionId: 'default:1' })).rejects.toThrow(refused);
  expect(readdirSync(folder)).toEqual(before);
});

test.each([['limits', '--daily', '5'], ['note', '--global', 'x'], ['jobs']])(
  'no verb makes the folder that --project-dir names: %s',
  (...words) => {
    const missing = join(folder, 'mistyped');
    expect(() => autonomous(missing, ...words)).toThrow(`no such folder: ${missing}`);
    expect(existsSync(missing)).toBe(false);
  },
);

test('a project that is not there is refused, and nothing of it is left when the editor goes', async () => {
  const cwd = makeRepository('nowhere');
  await using editor = await edit('nowhere');
  await expect(editor.agent.request('session/new', { cwd, mcpServers: [] })).rejects.toThrow(
    'there is no project nowhere',
  );
});
