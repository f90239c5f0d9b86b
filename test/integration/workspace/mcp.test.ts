/** The built program as an MCP server, asked by the protocol's own client over stdio. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, inject, test } from 'vitest';
import { MAIN_TOOL_NAMES } from '../../../src/shared/workspace/mainTools.ts';
import { emptyRepository } from '../../support/git/gitFixture.ts';
import { testPrograms } from '../../support/process/testPrograms.ts';

const folder = realpathSync(mkdtempSync(join(inject('tempRoot'), 'mcp-')));
const cli = fileURLToPath((await testPrograms(inject('tempRoot'))).program('cli'));

const makeRepository = (name: string): string => emptyRepository(join(folder, name));

interface Server extends AsyncDisposable {
  readonly client: Client;
  /** What came that is no message of the protocol, and what was said beside it. */
  readonly odd: readonly string[];
  call(name: string, input?: Record<string, unknown>): Promise<{ readonly refused: boolean; readonly text: string }>;
}

async function serve(repo: string): Promise<Server> {
  const odd: string[] = [];
  const env = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== undefined));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [cli, 'mcp', '--project-dir', repo],
    env: env as Record<string, string>,
    stderr: 'pipe',
  });
  transport.stderr?.on('data', (data: Buffer) => odd.push(data.toString()));
  const client = new Client({ name: 'test', version: '1' });
  client.onerror = (error) => odd.push(error.message);
  await client.connect(transport);
  return {
    client,
    odd,
    call: async (name, input = {}) => {
      const result = await client.callTool({ name, arguments: input });
      const [part] = result.content;
      return { refused: result.isError === true, text: part?.type === 'text' ? part.text : '' };
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

const listed = (repo: string): string =>
  execFileSync(process.execPath, [cli, 'project', 'list', '--project-dir', repo], { encoding: 'utf8' });

test('offers the main agent’s tools but memory, and carries them out', async () => {
  const repo = makeRepository('one');
  {
    await using server = await serve(repo);
    const { tools } = await server.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(
      MAIN_TOOL_NAMES.filter((name) => name !== 'search_conversation' && name !== 'read_project_memory'),
    );
    expect(tools.find(({ name }) => name === 'submit_brief')).toMatchObject({
      inputSchema: { type: 'object', required: ['brief'], additionalProperties: false },
      annotations: { readOnlyHint: false },
    });
    expect(await server.call('create_project', { name: 'api', goal: 'Move it' })).toMatchObject({ refused: false });
    expect((await server.call('list_projects')).text).toContain('- api: active');
    expect((await server.call('add_note', { content: 'port 8080' })).text).toBe('Kept as note 1.');
    expect(server.odd).toEqual([]);
  }
  expect(listed(repo)).toMatch(/^api +active/m);
});

test('makes a task and leads it to its end by the four calls of seed 004', async () => {
  const repo = makeRepository('task');
  const make = ['project', 'new', 'api', 'Research', '--scenario', 'tasks', '--project-dir', repo];
  execFileSync(process.execPath, [cli, ...make]);
  await using server = await serve(repo);
  const task = async (input: object): Promise<string> => {
    const { refused, text } = await server.call('long_running_task', { ...input });
    expect(refused, text).toBe(false);
    return text;
  };
  const created = await task({
    action: 'create',
    project: 'api',
    name: 'Research Project',
    description: 'Detailed research on topic X',
    objective: 'Gather and synthesize information',
    estimatedDurationMinutes: 60,
    completionBehavior: 'NOTIFY_USER',
  });
  const taskId = /task-[0-9a-f]+/.exec(created)?.[0] ?? '';
  const step = {
    name: 'Step 1',
    action: 'llm_generate',
    params: { prompt: 'List the competitors.' },
    isCheckpoint: true,
  };
  await task({ action: 'add_steps', taskId, steps: [step] });
  await task({ action: 'start', taskId });
  await expect.poll(() => task({ action: 'get_progress', taskId })).toContain('COMPLETED, 100 %, 1 of 1 steps over');
  expect(await task({ action: 'get_report', taskId })).toContain('## Last checkpoint');
  expect((await server.call('read_messages', { project: 'api' })).text).toContain(`of task ${taskId}:`);
});

test('decides nothing: what is the steward’s is refused with the reason', async () => {
  const repo = makeRepository('two');
  await using server = await serve(repo);
  const refusals = [
    ['approve', { id: 1 }, /a question is answered by the steward alone\. list_questions/],
    ['merge_job', { job: 'x' }, /a result is merged/],
    ['set_limits', { daily: 100 }, /what may be spent/],
    ['read_project_memory', { project: 'api' }, /only the main agent has read_project_memory/],
    ['submit_brief', { brief: 'x', gates: [] }, /submit_brief takes no gates/],
    ['job_status', {}, /expected string/],
    ['job_status', { job: 'nobody' }, /there is no job nobody/],
  ] as const;
  for (const [name, input, reason] of refusals) {
    const answer = await server.call(name, input);
    expect([name, answer.refused]).toEqual([name, true]);
    expect(answer.text).toMatch(reason);
  }
  expect((await server.call('list_questions')).text).toBe('Nothing waits for the steward.');
});

test('asks the owner that lives, and takes its place when it ends', async () => {
  const repo = makeRepository('three');
  await using second = await (async () => {
    await using owner = await serve(repo);
    const client = await serve(repo);
    await owner.call('create_project', { name: 'api', goal: 'x' });
    await client.call('create_project', { name: 'app', goal: 'y' });
    expect((await owner.call('list_projects')).text).toContain('- app: active');
    expect((await client.call('list_projects')).text).toContain('- api: active');
    return client;
  })();
  await expect
    .poll(async () => (await second.call('create_project', { name: 'site', goal: 'z' })).text)
    .toMatch(/Project site is there|there is a project site already/);
  expect((await second.call('list_projects')).text.split('\n')).toHaveLength(3);
});

test('says on the error stream why it cannot serve', async () => {
  const nowhere = join(folder, 'nowhere');
  mkdirSync(nowhere);
  const odd: string[] = [];
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [cli, 'mcp', '--project-dir', nowhere, '--no-such-option'],
    stderr: 'pipe',
  });
  transport.stderr?.on('data', (data: Buffer) => odd.push(data.toString()));
  await expect(new Client({ name: 'test', version: '1' }).connect(transport)).rejects.toThrow();
  expect(odd.join('')).toMatch(/unknown option/);
});
