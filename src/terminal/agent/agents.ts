/** `agents`: the available agents and their state on this machine. */
import type { ListedAgent, ListedAgents } from '../../engine/workspace/workspace.ts';
import { type AgentProbe, BUILT_IN } from '../../shared/agent/executors.ts';
import { failure } from '../../shared/errors.ts';
import { type Context, columns, command, print } from '../screen/context.ts';
import type { Tone } from '../text/paint.ts';
import { type Column, table } from '../text/table.ts';
import { visibleLine } from '../text/visible.ts';

export interface AgentsOptions {
  /** False for `--no-probe`. */
  readonly probe: boolean;
}

const COLUMNS: readonly Column[] = [
  { title: 'NAME' },
  { title: 'AGENT', gives: true },
  { title: 'STATE' },
  { title: 'VERSION', optional: true },
  { title: 'SPEAKS', optional: true },
  { title: 'PAID BY' },
];

const TONES: Readonly<Record<AgentProbe['state'], Tone>> = {
  ready: 'good',
  missing: 'faint',
  login: 'warning',
  unusable: 'bad',
};

export async function agentsVerb(context: Context, { probe }: AgentsOptions): Promise<number> {
  const { io } = context.deps;
  // Each of them takes a few seconds to start.
  if (probe && io.isTTY && !context.json) io.err('Starting the installed agents to check their state …\n');
  const listed = await (probe ? context.workspace.agent.look() : context.workspace.agent.list());
  const agents = listed.agents.map(jsonOf);
  print(context, { agents, faults: listed.faults }, context.json ? '' : listText(context, listed));
  return 0;
}

/** Without its command, which has placeholders for values that only a session has. */
function jsonOf({ name, entry, probe }: ListedAgent): object {
  const { title, speaks, models, install, url } = entry;
  return { name, title, speaks, paidBy: paidBy(models), install, url, probe };
}

const paidBy = (models: string): string => (models === 'own' ? 'own account' : 'us');

function listText(context: Context, { agents, faults, file }: ListedAgents): string {
  const rows = agents.map(({ name, entry, probe }) => [
    visibleLine(name),
    visibleLine(entry.title),
    probe?.state ?? '-',
    visibleLine(probe?.version ?? '-'),
    speaks(entry.speaks, probe),
    paidBy(entry.models),
  ]);
  const builtIn = [BUILT_IN, 'the built-in agent', 'ready', context.deps.version, '-', 'us'];
  const told = agents.flatMap(({ name, probe }) => (probe === null ? [] : fixText(context, name, probe)));
  const blocks = [table(COLUMNS, [builtIn, ...rows], columns(context)).join('\n')];
  if (told.length > 0) blocks.push(told.join('\n'));
  if (faults.length > 0) blocks.push([`In ${visibleLine(file)}:`, ...faultLines(context, faults)].join('\n'));
  blocks.push(`Let one work: ${command(context, 'run --executor NAME "…"')}`);
  return blocks.join('\n\n');
}

const faultLines = (context: Context, faults: readonly string[]): string[] =>
  faults.map((fault) => context.paint(`  ${visibleLine(fault)}`, 'bad'));

function speaks(how: string, probe: AgentProbe | null): string {
  if (how === 'command') return 'command';
  return probe?.protocol == null ? 'ACP' : `ACP ${probe.protocol}`;
}

function fixText(context: Context, name: string, { state, detail, fix }: AgentProbe): string[] {
  if (state === 'ready') return [];
  const text = `${name}: ${[detail, fix].filter((part) => part !== '').join('. ')}`;
  return [context.paint(`  ${visibleLine(text)}`, TONES[state])];
}

export async function agentShowVerb(context: Context, name: string): Promise<number> {
  const { agents, faults, file } = await context.workspace.agent.look({ name });
  const agent = agents.find((one) => one.name === name);
  if (agent === undefined) {
    const [fault] = faults.filter((text) => text.includes(`: ${name}: `));
    throw failure('NOT_FOUND', `there is no agent ${visibleLine(name)}`, {
      hint: fault === undefined ? `See: ${command(context, 'agents --no-probe')}` : `${file}: ${fault}`,
    });
  }
  print(context, { agent: { ...jsonOf(agent), entry: agent.entry } }, context.json ? '' : showText(context, agent));
  return 0;
}

function showText(context: Context, { name, entry, probe }: ListedAgent): string {
  const facts: (readonly [string, string])[] = [
    ['State', probe === null ? 'not checked' : [probe.state, probe.detail].filter((part) => part !== '').join(': ')],
    ...(probe?.fix ? [['To do', probe.fix] as const] : []),
    ['Version', probe?.version ?? 'it does not say'],
    ['Speaks', entry.speaks === 'acp' ? 'the Agent Client Protocol' : 'one command for each turn'],
    ['Started', entry.argv.join(' ')],
    ['Models', MODELS[entry.models]],
    ...listFact('Can', probe?.can),
    ...listFact('Lacks', probe?.lacks),
    ...listFact(
      'Sign-in',
      entry.login.map((path) => `~/${path}`),
    ),
    ...listFact('Reaches', entry.hosts),
    ['Install', entry.install],
    ['Read', entry.url],
  ];
  const lines = facts.map(([title, text]) => `  ${context.paint(title.padEnd(9), 'faint')}${visibleLine(text)}`);
  return [context.paint(`${visibleLine(entry.title)} (${visibleLine(name)})`, 'strong'), ...lines].join('\n');
}

const MODELS = {
  messages: 'through us, by the Messages API: every call is reserved, limited and booked',
  chat: 'through us, by the OpenAI chat protocol: every call is reserved, limited and booked',
  own: 'with its own account: a job needs --max-calls and --max-tokens',
} as const;

const listFact = (title: string, values: readonly string[] | undefined): (readonly [string, string])[] =>
  values === undefined || values.length === 0 ? [] : [[title, values.join(', ')]];
