/**
 * What a session under us costs beside an agent's bare run: the same agent at the same work against a model without latency, once
 * started by hand in a folder, once as a worker of a job. Needs the registry, or agents that are there (`node scripts/proof/agents.mjs`).
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import * as acp from '@agentclientprotocol/sdk';
import { ensureAgents } from '../scripts/proof/agents.mjs';
import { builtInAgents } from '../src/adapters/userData/knownAgents.ts';
import type { Owner } from '../src/app/owner/assemble.ts';
import type { AgentEntry } from '../src/shared/agent/executorSchemas.ts';
import { formatAssignment } from '../src/shared/workspace/assignment.ts';
import { scenarioOf } from '../test/support/demo/briefs.ts';
import { testPrograms } from '../test/support/process/testPrograms.ts';
import { type MessagesServer, startMessagesServer } from '../test/support/provider/messagesServer.ts';
import { median, round, show } from './table.ts';
import { benchWorld, openOwner } from './world.ts';

const ROUNDS = Number(process.env['ROUNDS'] ?? 5);
const TURNS = Number(process.env['TURNS'] ?? 20);
const AGENTS = (process.env['AGENTS'] ?? 'cline,cline-cli,claude,claude-cli').split(',');
/** One that all of them know; by hand nothing stands in for another. */
const MODEL = 'claude-opus-5-5';
const FEATURE = 'A';

/** A session of so many turns, each of which writes a file and runs a command, and a report. */
const scenario = scenarioOf([
  {
    verify: ['ls'],
    features: [
      {
        name: FEATURE,
        attempts: [
          {
            turns: [
              ...Array.from({ length: TURNS }, (_, turn) => ({
                text: `Step ${turn + 1}.`,
                calls: [
                  { tool: 'write', input: { file_path: `file${turn}.txt`, content: `${turn}\n`.repeat(50) } },
                  { tool: 'bash', input: { command: 'ls' } },
                ],
              })),
              { text: '', calls: [{ tool: 'report', input: { outcome: 'done', summary: 'Written.', question: '' } }] },
            ],
          },
        ],
      },
    ],
  },
]);

interface Run {
  readonly ms: number;
  readonly calls: number;
}

const { bin } = await ensureAgents();
const path = [bin, process.env['PATH'] ?? ''].join(delimiter);

/** By hand, in a repository and with a home of its own. */
async function bareRun(entry: AgentEntry, server: MessagesServer): Promise<Run> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'autonomous-bare-')));
  const clone = join(folder, 'clone');
  const home = join(folder, 'home');
  for (const made of [clone, home, join(folder, 'bin')]) mkdirSync(made);
  execFileSync('git', ['init', '--quiet'], { cwd: clone });
  // The session's script: it answers at once.
  writeFileSync(join(folder, 'bin', 'autonomous'), '#!/bin/sh\necho taken\n', { mode: 0o755 });
  writeFileSync(join(folder, 'mcp.json'), '{"mcpServers":{}}');
  const assignment = formatAssignment({ role: 'worker', phase: 'Phase 1', feature: FEATURE, featureId: 1, attempt: 1 });
  const words: Record<string, string> = {
    prompt: `Do the work.\n\n${assignment}`,
    model: MODEL,
    url: server.url,
    token: server.apiKey,
    clone,
    mcp: join(folder, 'mcp.json'),
  };
  const fill = (text: string): string => text.replace(/\{(\w+)\}/g, (whole, name: string) => words[name] ?? whole);
  for (const [file, content] of Object.entries(entry.files)) {
    mkdirSync(dirname(join(home, file)), { recursive: true });
    writeFileSync(join(home, file), fill(content));
  }
  const env: Record<string, string> = { HOME: home, TMPDIR: folder, PATH: [join(folder, 'bin'), path].join(delimiter) };
  for (const [name, value] of Object.entries(entry.env)) env[name] = fill(value);
  for (const [name, program] of Object.entries(entry.programs)) env[name] = join(bin, program);
  const [file = '', ...args] = entry.argv.map(fill);
  const before = server.bill.length;
  const started = performance.now();
  const child = spawn(file, args, { cwd: clone, env, stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = new Promise((resolve) => child.once('close', resolve));
  if (entry.speaks === 'acp') await converse(child, clone, entry.mode, words['prompt'] ?? '');
  else child.stdout.resume();
  child.stdin.end();
  await ended;
  const ms = performance.now() - started;
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  return { ms, calls: server.bill.length - before };
}

/** The least that a client of the protocol does: everything is allowed. */
async function converse(child: ChildProcess, cwd: string, modeId: string | undefined, text: string): Promise<void> {
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null) throw new Error('it has no stdio');
  const output = Writable.toWeb(stdin) as WritableStream<Uint8Array>;
  const input = Readable.toWeb(stdout) as ReadableStream<Uint8Array>;
  const client = acp
    .client({ name: 'bench' })
    .onRequest('session/request_permission', ({ params }) => {
      const once = params.options.find(({ kind }) => kind === 'allow_once');
      return { outcome: { outcome: 'selected' as const, optionId: once?.optionId ?? '' } };
    })
    .onNotification('session/update', () => undefined);
  await client.connectWith(acp.ndJsonStream(output, input), async (agent) => {
    await agent.request('initialize', { protocolVersion: acp.PROTOCOL_VERSION, clientCapabilities: {} });
    const { sessionId, modes } = await agent.request('session/new', { cwd, mcpServers: [] });
    if (modeId !== undefined && modes?.currentModeId !== modeId)
      await agent.request('session/set_mode', { sessionId, modeId });
    await agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
  });
  child.kill();
}

/** As a worker of a job: from its attempt's first event to the last, with the commit and the evidence. */
async function sessionRun(owner: Owner, executor: string, server: MessagesServer): Promise<Run> {
  let from = 0;
  let to = 0;
  let before = 0;
  let after = 0;
  const over = Promise.withResolvers<void>();
  owner.follow({
    event: ({ type }) => {
      // The first is the worker's; the review of its phase follows.
      if (type === 'attempt_started' && from === 0) [from, before] = [performance.now(), server.bill.length];
      if (type === 'attempt_ended' && to === 0) [to, after] = [performance.now(), server.bill.length];
      if (type === 'job_completed') over.resolve();
    },
    failed: (_, { code, message }) => over.reject(new Error(`${code}: ${message}`)),
  });
  await owner.request('submitBrief', {
    brief: 'Write files.',
    executors: { worker: executor },
    gates: [],
    setup: [],
    allowedCommands: [['ls']],
  });
  await over.promise;
  return { ms: to - from, calls: after - before };
}

async function underUs(executor: string, server: MessagesServer): Promise<Run> {
  const world = benchWorld({ 'README.md': 'Files\n' }, ['git']);
  const env = { ...world.env, PATH: path };
  const owner = await openOwner({ ...world, env }, { key: () => server.apiKey, baseUrl: server.url }, worker);
  try {
    return await sessionRun(owner, executor, server);
  } finally {
    await owner.close();
    rmSync(world.folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

const parts = mkdtempSync(join(tmpdir(), 'autonomous-parts-'));
const { worker } = await testPrograms(parts);
const server = await startMessagesServer({ scenario });
const rows: (string | number)[][] = [];
for (const name of AGENTS) {
  const entry = builtInAgents()[name];
  if (entry === undefined) throw new Error(`nobody knows ${name}`);
  const bare: Run[] = [];
  const ours: Run[] = [];
  for (let at = 0; at <= ROUNDS; at++) {
    const runs = [await bareRun(entry, server), await underUs(name, server)] as const;
    // The first ones read the programs from the disk.
    if (at === 0) continue;
    bare.push(runs[0]);
    ours.push(runs[1]);
  }
  const ms = [bare, ours].map((runs) => median(runs.map((run) => run.ms)));
  const calls = [bare, ours].map((runs) => median(runs.map((run) => run.calls)));
  const [bareMs = 0, ourMs = 0, bareCalls = 0, ourCalls = 0] = [...ms, ...calls];
  rows.push([name, round(bareMs), round(ourMs), round(ourMs / bareMs, 3), bareCalls, ourCalls, ourCalls - bareCalls]);
}
await server.close();
rmSync(parts, { recursive: true, force: true });
show(
  `A session of ${TURNS + 1} turns by hand and under us, medians of ${ROUNDS} (a model without latency)`,
  ['agent', 'bare ms', 'under us ms', 'ratio', 'calls', 'under us', 'more'],
  rows,
);
