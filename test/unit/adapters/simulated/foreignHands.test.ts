/** The scenario played by other agents: requests as cline 3.0 and Claude Code 2.1 send them, shortened to what is read of them. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { SimulatedModel } from '../../../../src/adapters/simulated/model.ts';
import { formatAssignment } from '../../../../src/shared/workspace/assignment.ts';
import {
  replyOf,
  smallScenario,
  type TestMessage,
  type TestReply,
  withResults,
} from '../../../support/provider/simulatedRequests.ts';

const CONTENT = "it's\n$HOME `x` \\n\n";
const SUMMARY = "I've done it.";
const scenario = smallScenario({
  features: {
    F: {
      attempts: [
        {
          turns: [
            {
              text: 'I begin.',
              calls: [{ tool: 'read', input: { file_path: 'a.txt' } }],
            },
            {
              calls: [
                { tool: 'write', input: { file_path: 'src/new file.txt', content: CONTENT } },
                { tool: 'edit', input: { file_path: 'a.txt', edits: [{ old_string: 'old', new_string: 'new' }] } },
                { tool: 'bash', input: { command: 'node --test' } },
              ],
            },
            { calls: [{ tool: 'note', input: { scope: 'global', content: 'A trap.' } }, { tool: 'notes' }] },
            { calls: [{ tool: 'report', input: { outcome: 'done', summary: SUMMARY, question: '' } }] },
          ],
        },
      ],
    },
  },
});
const model = new SimulatedModel(scenario);

const ASSIGNMENT = formatAssignment({ role: 'worker', phase: 'P', feature: 'F', featureId: 5, attempt: 1 });
const PROMPT = `Rules of the house.\n\n${ASSIGNMENT}\n\n# Brief\nDo it.`;
const tool = (name: string, ...inputs: string[]) => ({
  name,
  description: name,
  input_schema: { type: 'object', properties: Object.fromEntries(inputs.map((input) => [input, {}])) },
});

const CLINE = [
  { type: 'web_search_20250305', name: 'web_search', max_uses: 5 },
  tool('read_files', 'files'),
  tool('search_codebase', 'queries'),
  tool('run_commands', 'commands'),
  tool('editor', 'path', 'old_text', 'new_text', 'insert_line'),
];
const CLAUDE = [
  tool('Agent', 'prompt'),
  tool('Bash', 'command', 'timeout', 'description'),
  tool('Edit', 'file_path', 'old_string', 'new_string'),
  tool('Read', 'file_path'),
  tool('ToolSearch', 'query'),
  tool('Write', 'file_path', 'content'),
];
const cline: TestMessage[] = [{ role: 'user', content: [{ type: 'text', text: PROMPT }] }];
const claude = [
  {
    role: 'user',
    content: [
      { type: 'text', text: '<system-reminder>\n# gitStatus\nCurrent branch: main\n</system-reminder>' },
      { type: 'text', text: PROMPT },
    ],
  },
  { role: 'system', content: '# Environment\nYou have been invoked in the following environment:' },
] as TestMessage[];

/** What is called in the nth reply of a conversation, all results being `ok`. */
function calls(messages: readonly TestMessage[], tools: readonly object[], nth: number): object[] {
  let conversation = messages;
  let reply: TestReply = replyOf(model, conversation, { tools });
  for (let at = 0; at < nth; at++) {
    conversation = withResults(conversation, reply);
    reply = replyOf(model, conversation, { tools });
  }
  return reply.content.filter(({ type }) => type === 'tool_use').map(({ name, input }) => ({ name, input }));
}

const run = (command: string) => ({ name: 'run_commands', input: { commands: [command] } });

describe('hands of cline', () => {
  test('read and edit by its tools, and do the rest by its shell', () => {
    expect(calls(cline, CLINE, 0)).toEqual([{ name: 'read_files', input: { files: [{ path: 'a.txt' }] } }]);
    expect(calls(cline, CLINE, 1).slice(1)).toEqual([
      { name: 'editor', input: { path: 'a.txt', old_text: 'old', new_text: 'new' } },
      run('node --test'),
    ]);
    expect(calls(cline, CLINE, 2)).toEqual([run("autonomous note --global 'A trap.'"), run('autonomous notes')]);
    expect(calls(cline, CLINE, 3)).toEqual([run("autonomous report 'done' 'I'\\''ve done it.'")]);
  });

  test('write a file byte for byte by the shell', () => {
    const folder = mkdtempSync(join(inject('tempRoot'), 'f-'));
    const [write] = calls(cline, CLINE, 1) as { input: { commands: string[] } }[];
    writeFileSync(join(folder, 'command'), write?.input.commands[0] ?? '');
    execFileSync('sh', ['command'], { cwd: folder });
    expect(readFileSync(join(folder, 'src', 'new file.txt'), 'utf8')).toBe(CONTENT);
  });
});

describe('hands of Claude Code', () => {
  test('read a file before they change it, which it insists on', () => {
    const read = (file_path: string) => ({ name: 'Read', input: { file_path } });
    expect(calls(claude, CLAUDE, 1)).toEqual([
      read('src/new file.txt'),
      { name: 'Write', input: { file_path: 'src/new file.txt', content: CONTENT } },
      read('a.txt'),
      { name: 'Edit', input: { file_path: 'a.txt', old_string: 'old', new_string: 'new' } },
      { name: 'Bash', input: { command: 'node --test' } },
    ]);
  });

  test('take our tools over MCP where they are offered', () => {
    const tools = [...CLAUDE, tool('mcp__autonomous__notes'), tool('mcp__autonomous__report', 'outcome', 'summary')];
    expect(calls(claude, tools, 2)).toContainEqual({ name: 'mcp__autonomous__notes', input: {} });
    expect(calls(claude, tools, 3)).toEqual([
      { name: 'mcp__autonomous__report', input: { outcome: 'done', summary: SUMMARY, question: '' } },
    ]);
  });
});

describe('what is no turn of a session', () => {
  /** The conversation up to the reply after the report. */
  function whole(messages: readonly TestMessage[], tools: readonly object[]): TestMessage[] {
    let conversation = [...messages];
    for (let at = 0; at < 4; at++) conversation = withResults(conversation, replyOf(model, conversation, { tools }));
    return conversation;
  }

  test('is answered in few words: a title, a suggestion, the round after the report', () => {
    const title = replyOf(model, [{ role: 'user', content: `<session>\n${PROMPT}\n</session>\n\nWrite the title.` }]);
    expect(title).toMatchObject({ stop_reason: 'end_turn', content: [{ type: 'text' }] });
    const after = replyOf(model, whole(claude, CLAUDE), { tools: CLAUDE });
    expect(after).toMatchObject({ stop_reason: 'end_turn', content: [{ text: 'That is all (simulated).' }] });
  });

  test('does not move the script of the next assignment, nor of a nudge', () => {
    const conversation = whole(cline, CLINE);
    const closing = replyOf(model, conversation, { tools: CLINE });
    const nudged = [
      ...conversation,
      { role: 'assistant' as const, content: closing.content },
      { role: 'user' as const, content: 'You have not reported.' },
    ];
    expect(replyOf(model, nudged, { tools: CLINE }).content).toMatchObject([{ text: 'That is all (simulated).' }]);
    const next = [...nudged.slice(0, -1), { role: 'user' as const, content: `Next.\n\n${ASSIGNMENT}` }];
    expect(replyOf(model, next, { tools: CLINE }).content[0]).toMatchObject({ text: 'I begin.' });
  });
});
