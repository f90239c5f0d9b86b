/** Possible values for each placeholder of the program's commands and options. */
import { ruleOffers } from '../../../core/rule/offers.ts';
import { isFinal, JOB } from '../../../core/state/machines.ts';
import { BUILT_IN, EXECUTOR_ROLES } from '../../../shared/agent/executors.ts';
import { COMMIT_AUTHORS, CONVERSATION_MODES, FEATURE_STATUSES, GATES, MERGE_MODES } from '../../../shared/job/rows.ts';
import { AUTHS, WIRES } from '../../../shared/model/connections.ts';
import { EFFORT_ROLES, EFFORTS } from '../../../shared/model/effort.ts';
import { PROVIDERS } from '../../../shared/model/models.ts';
import { LADDER_ROLES, ROUTINGS } from '../../../shared/routing.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { NAMED_ROLES } from '../../text/parse.ts';
import type { Candidate } from './request.ts';
import { SHELLS } from './scripts.ts';

/** Sources of values. Each is read when a value of its kind is requested. */
export interface Known {
  state(): Promise<State>;
  /** Names of agents. */
  agents(): Promise<readonly string[]>;
  /** The user's connections, and the presets that have no connection yet. */
  connections(): Promise<{ readonly own: readonly string[]; readonly presets: readonly string[] }>;
  /** Names of the templates of projects. */
  projectTemplates(): Promise<readonly string[]>;
  /** Names of the templates of tasks. */
  taskTemplates(): Promise<readonly string[]>;
  readonly verb: string;
  readonly typed: string;
}

/** `files` and `folders`: the shell completes them. `free`: any text is possible. */
export type Values = 'files' | 'folders' | 'free' | ((known: Known) => Promise<readonly Candidate[]>);

const plain = (words: readonly string[]): Candidate[] => words.map((word) => ({ word, description: '' }));
const fixed = (words: readonly string[]): Values => {
  const candidates = plain(words);
  return async () => candidates;
};

function rows(of: (state: State) => readonly (readonly [number | string, string])[]): Values {
  return async (known) => of(await known.state()).map(([id, description]) => ({ word: String(id), description }));
}

/** The newest first: it is the likeliest. */
const newest = <T>(table: ReadonlyMap<unknown, T>): T[] => [...table.values()].reverse();

/** Values of a list with commas, after those that are typed. */
async function gates({ typed }: Known): Promise<readonly Candidate[]> {
  const before = typed.slice(0, typed.lastIndexOf(',') + 1);
  const used = before.split(',');
  const left = GATES.filter((gate) => !used.includes(gate)).map((gate) => before + gate);
  return plain(before === '' ? [...left, 'none'] : left);
}

/** A value for all roles, or `role=value`. */
function byRole(typed: string, values: readonly string[], roles: readonly string[]): readonly Candidate[] {
  const before = typed.slice(0, typed.search(/[^=,]*$/));
  if (before.endsWith('=')) return plain(values.map((value) => before + value));
  return plain([...(before === '' ? values : []), ...roles.map((role) => `${before}${role}=`)]);
}

async function agents(known: Known): Promise<readonly Candidate[]> {
  const names = [BUILT_IN, ...(await known.agents())];
  return known.verb === 'agents' ? plain(names) : byRole(known.typed, names, EXECUTOR_ROLES);
}

/** Values by placeholder. `test/unit/terminal/verbs/completion/completion.test.ts` checks that none is missing. */
export const VALUES: Readonly<Record<string, Values>> = {
  agent: agents,
  agents,
  approval: rows((state) =>
    newest(state.approvals).flatMap((row) => (row.status === 'pending' ? [[row.id, row.question] as const] : [])),
  ),
  artifact: 'free',
  attempt: rows((state) =>
    newest(state.attempts).flatMap((row) =>
      row.feature_id === null ? [] : [[row.id, state.features.get(row.feature_id)?.name ?? ''] as const],
    ),
  ),
  branch: 'free',
  brief: 'free',
  call: rows((state) =>
    newest(state.spends).flatMap((row) => (row.status === 'unsettled' ? [[row.id, row.role] as const] : [])),
  ),
  category: async (known) =>
    plain([...new Set([...(await known.state()).features.values()].map((row) => row.category))]),
  choice: async (known) =>
    plain([
      ...new Set(
        [...(await known.state()).approvals.values()].flatMap((row) => (row.status === 'pending' ? row.choices : [])),
      ),
    ]),
  command: 'free',
  connection: async (known) => plain((await known.connections()).own),
  commit: 'free',
  dir: 'folders',
  expression: 'free',
  feature: rows((state) => [...state.features.values()].map((row) => [row.id, row.name] as const)),
  file: 'files',
  gates,
  goal: 'free',
  host: 'free',
  level: async ({ typed }) => byRole(typed, EFFORTS, EFFORT_ROLES),
  job: rows((state) => {
    const jobs = newest(state.jobs);
    const open = jobs.filter(({ status }) => !isFinal(JOB, status));
    return [...open, ...jobs.filter((row) => !open.includes(row))].map(
      (row) => [row.id, `${row.status}: ${row.title}`] as const,
    );
  }),
  'memory-file': 'free',
  message: 'free',
  mode: fixed(MERGE_MODES),
  who: fixed(COMMIT_AUTHORS),
  model: async (known) => plain((await known.connections()).own.map((name) => `${name}/`)),
  name: async (known) => plain(known.verb === 'models' ? (await known.connections()).presets : []),
  'name=value': 'free',
  note: rows((state) =>
    newest(state.notes).flatMap((row) => (row.superseded_by === null ? [[row.id, row.content] as const] : [])),
  ),
  number: 'free',
  offer: async (known) => plain(ruleOffers(await known.state()).map(({ id }) => id)),
  origin: 'free',
  place: 'free',
  project: rows((state) => [...state.projects.values()].map((row) => [row.id, row.status] as const)),
  provider: fixed(PROVIDERS.filter((name) => name !== 'vscode-lm')),
  'role=models': fixed(LADDER_ROLES.map((role) => `${role}=`)),
  routing: fixed(ROUTINGS),
  'role=model': async (known) => {
    const before = known.typed.slice(0, known.typed.indexOf('=') + 1);
    const models = (await known.connections()).own.map((name) => `${before}${name}/`);
    return plain(before === '' ? [...NAMED_ROLES.map((role) => `${role}=`), ...models] : models);
  },
  rule: rows((state) =>
    newest(state.rules).flatMap((row) => (row.revoked_at === null ? [[row.id, row.text] as const] : [])),
  ),
  schedule: rows((state) => [...state.schedules.values()].map((row) => [row.id, row.name] as const)),
  session: rows((state) => newest(state.sessions).map((row) => [row.id, `${row.role}, ${row.status}`] as const)),
  shell: fixed(SHELLS),
  size: 'free',
  preset: async (known) => plain((await known.connections()).presets),
  wire: fixed(WIRES),
  how: async (known) => plain(known.verb === 'models' ? AUTHS : CONVERSATION_MODES),
  url: 'free',
  variable: 'free',
  header: 'free',
  'model=rates': 'free',
  'model=tokens': 'free',
  source: 'files',
  status: fixed(FEATURE_STATUSES),
  target: 'files',
  task: rows((state) =>
    newest(state.tasks).map((row) => [row.id, `${row.status.toLowerCase()}: ${row.name}`] as const),
  ),
  template: async (known) => plain(await (known.verb === 'task' ? known.taskTemplates() : known.projectTemplates())),
  text: 'free',
  time: 'free',
  usd: 'free',
  variant: 'free',
  words: async (known) => [
    ...[...(await known.state()).features.values()].map((row) => ({ word: String(row.id), description: row.name })),
  ],
  zone: 'free',
};
