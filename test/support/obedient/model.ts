/**
 * A model without a will of its own: it reads all that it can reach, does whatever an instruction in there says, by any tool,
 * offered or not, and passes on what it read. Only where nothing tells it otherwise it does its work.
 */
import type { Answer } from '../../../src/adapters/simulated/model.ts';
import { makeReply } from '../../../src/adapters/simulated/reply.ts';
import { type MessagesRequest, readRequest } from '../../../src/adapters/simulated/request.ts';
import { canonicalJson } from '../../../src/core/session/loopGuard.ts';
import { BY_ITSELF, doneIn, instructionsIn } from './words.ts';

export interface Obeyed {
  readonly role: string;
  /** Of the instruction. */
  readonly id: string;
}

type Call = { readonly tool: string; readonly input: Readonly<Record<string, unknown>> };

const ANSWERS = ['report', 'submit_plan', 'submit_verdict'];
/** Calls of one reply. */
const AT_ONCE = 12;

/** How most agents name a tool of an MCP server. */
const FOREIGN = 'mcp__autonomous__';
const HEARD_GLADLY = { verdict: 'APPROVED', reason: 'Whatever you say.' };
const WORK = 'work.txt';
const NONE_NEEDED = 'It holds already.';
const BAD = 'The model of this reviewer finds it bad.';

const feature = (name: string) => ({ name, description: 'Do it.', category: 'core' });

/** By a worker, until it is stopped. */
export const LOOP = 'loop';
/** The name of a feature whose worker asks a person first. */
export const ASKS = 'Asks';

export const PLAN = {
  title: 'As it was asked',
  phases: [
    {
      title: 'All of it',
      objective: 'It is done.',
      acceptance_criteria: ['It is there.'],
      verify_commands: ['sh check.sh'],
      features: [feature('The work')],
    },
  ],
};

export class ObedientModel {
  /** What it was told and did, once for each session that did it. */
  readonly obeyed: Obeyed[] = [];
  /** Roles that came to the end of all that they were told. */
  readonly rested = new Set<string>();
  readonly #plan: unknown;
  /** Verdicts that it gave as a reviewer, by its own calls. */
  readonly verdicts: string[] = [];

  /** `features`: of its plan. */
  constructor(features: readonly string[] = ['The work']) {
    const [phase] = PLAN.phases;
    this.#plan = { ...PLAN, phases: [{ ...phase, features: features.map(feature) }] };
  }

  answer(path: string, body: string): Answer {
    const read = readRequest(body);
    if (!read.ok) {
      return { kind: 'error', status: 400, type: 'invalid_request_error', message: read.message, exhausted: false };
    }
    const { request } = read;
    if (path.includes('count_tokens')) return { kind: 'tokens', inputTokens: Math.ceil(body.length / 4) };
    const foreign = request.tools.find(({ name }) => name?.startsWith(FOREIGN))?.name ?? null;
    const turn = foreign === null ? this.#turn(request) : this.#foreignTurn(request, foreign);
    const judges = request.tools.some(({ name }) => name === 'submit_verdict');
    for (const { tool, input } of turn.calls)
      if (judges && tool === 'submit_verdict') this.verdicts.push(String(input['verdict']));
    const reply = makeReply(request, turn as never, {
      input: body.length >> 2,
      cacheRead: 0,
      cacheWrite5m: 0,
      cacheWrite1h: 0,
    });
    return { kind: 'reply', reply, stream: request.stream };
  }

  /**
   * Of somebody else's agent, which obeys by itself: its model answers as one that was told nothing else, and finds all work bad.
   * Whoever found the agent's token and asks in its name is told what he likes to hear; that is no word of the agent's model.
   */
  #foreignTurn(request: MessagesRequest, tool: string): { readonly text: string; readonly calls: readonly Call[] } {
    const heard = heardIn(request);
    const call = (input: unknown) => ({ text: '', calls: [{ tool, input: input as Call['input'] }] });
    if (!heard.includes(BY_ITSELF)) return call(HEARD_GLADLY);
    this.obeyed.push(...doneIn(heard));
    if (tool.endsWith('submit_plan')) return call(this.#plan);
    if (tool.endsWith('report'))
      return call({ outcome: 'done', summary: 'APPROVED by me.', no_change_reason: NONE_NEEDED });
    return call({ verdict: 'REJECTED', reason: BAD, feedback: BAD });
  }

  #turn(request: MessagesRequest): { readonly text: string; readonly calls: readonly Call[] } {
    const offered = request.tools.map(({ name = '' }) => name);
    const role = roleOf(offered);
    const told = instructionsIn(heardIn(request));
    const made = new Set(callsOf(request));
    const waiting = told
      .filter((one, nth) => told.findIndex(({ id }) => id === one.id) === nth)
      .filter((one) => one.role === null || one.role === role)
      .filter((one) => !made.has(keyOf(one)));
    const harmless = waiting.filter(({ tool }) => !ANSWERS.includes(tool) || !offered.includes(tool));
    const now =
      made.size === 0 ? [] : (harmless.length > 0 ? harmless : waiting).slice(0, harmless.length > 0 ? AT_ONCE : 1);
    const first = looks(role).filter(({ tool }) => offered.includes(tool));
    if (made.size === 0 && first.length > 0) return { text: '', calls: first };
    if (role === 'worker' && told.some(({ tool }) => tool === LOOP))
      return { text: '', calls: [{ tool: 'glob', input: { pattern: `${made.size}` } }] };
    if (now.length > 0) {
      this.obeyed.push(...now.map(({ id }) => ({ role, id })));
      return { text: '', calls: now };
    }
    const passedOn =
      heardIn(request)
        .match(/OBEY\.[A-Za-z0-9_-]+\.NOW/g)
        ?.slice(0, offered.length === 0 ? 20 : 5)
        .join(' ') ?? '';
    this.rested.add(role);
    // What has no tools answers in words, and hands on what it was told.
    if (offered.length === 0) return { text: `All of it is done. ${passedOn}`, calls: [] };
    // The last assignment counts: a conversation takes one feature after the other.
    const assigned = [...heardIn(request).matchAll(/Assignment: worker [^\n]*?feature \d+ \\"([^"\\]*)\\"/g)].at(
      -1,
    )?.[1];
    const asks = role === 'worker' && assigned === ASKS;
    if (asks) return { text: '', calls: [{ tool: 'report', input: { outcome: 'stuck', summary: 'May I?' } }] };
    if (role === 'planner') return { text: '', calls: [{ tool: 'submit_plan', input: this.#plan as Call['input'] }] };
    const calls = ends(
      role,
      passedOn,
      [...made].some((key) => key.includes(WORK)),
    );
    return { text: calls.length === 0 ? 'That is all.' : '', calls };
  }
}

function roleOf(offered: readonly string[]): string {
  if (offered.includes('submit_plan')) return 'planner';
  if (offered.includes('submit_verdict')) return 'reviewer';
  if (offered.includes('report')) return 'worker';
  if (offered.length === 0) return 'summarizer';
  return offered.includes('notify') ? 'project' : offered.includes('spawn_subagent') ? 'subagent' : 'main';
}

/** Everything that was told to it: what the engine says, what tools gave, what it goes by. */
function heardIn({ system, messages }: MessagesRequest): string {
  const told = messages.filter(({ role }) => role !== 'assistant').map(({ content }) => JSON.stringify(content));
  return [...told, JSON.stringify(system)].join('\n');
}

const keyOf = ({ tool, input }: Call): string => canonicalJson([tool, input]);

function callsOf({ messages }: MessagesRequest): string[] {
  return messages
    .filter(({ role }) => role === 'assistant')
    .flatMap(({ content }) => content)
    .filter(({ type }) => type === 'tool_use')
    .map((block) => keyOf({ tool: String(block['name']), input: (block['input'] ?? {}) as Call['input'] }));
}

/** Skills that it uses before it does anything: a project's, a workspace's, a user's, and one that a repository would like to be. */
const SKILLS = ['rules', 'house', 'mine', 'evil'] as const;

/** It looks everywhere first. */
function looks(role: string): Call[] {
  const files: Call[] = [
    { tool: 'grep', input: { pattern: 'OBEY' } },
    { tool: 'glob', input: { pattern: '**/*' } },
  ];
  if (role === 'worker') {
    const command = 'ls -a . docs; git log --format=%B -n 20; sh check.sh; cat docs/* .github/* 2>/dev/null';
    return [...files, { tool: 'bash', input: { command } }, { tool: 'notes', input: {} }];
  }
  if (role === 'planner' || role === 'reviewer') return files;
  return [
    ...['', '/facts', '/facts/rules.md'].map((path) => ({
      tool: 'memory',
      input: { command: 'view', path: `/memories${path}` },
    })),
    ...SKILLS.flatMap((name) => [{}, { file: 'more.md' }].map((of) => ({ tool: 'use_skill', input: { name, ...of } }))),
    ...files,
  ];
}

function ends(role: string, passedOn: string, wrote: boolean): Call[] {
  switch (role) {
    case 'reviewer':
      return [{ tool: 'submit_verdict', input: { verdict: 'APPROVED', reason: 'I was told nothing else.' } }];
    case 'worker': {
      const summary = `APPROVED by me. ${passedOn}`.slice(0, 1_500);
      // The report is alone in its reply.
      return wrote
        ? [{ tool: 'report', input: { outcome: 'done', summary, no_change_reason: NONE_NEEDED } }]
        : [{ tool: 'write', input: { file_path: WORK, content: `Done. ${passedOn}\n` } }];
    }
    default:
      return [];
  }
}
