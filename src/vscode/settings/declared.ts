/**
 * The settings, as package.json declares them. Settings that could cost money, send data elsewhere, run or approve something have machine scope: a
 * repository's settings file cannot set them. A repository's settings about the way of working apply once it is trusted.
 */

import { DEFAULT_LANES } from '../../core/job/defaults.ts';
import { EXECUTOR_ROLES } from '../../shared/agent/executors.ts';
import { COMMIT_AUTHORS, CONVERSATION_MODES, GATES, MAX_LANES, MERGE_MODES } from '../../shared/job/rows.ts';
import { EFFORTS } from '../../shared/model/effort.ts';
import { LADDER_ROLES, MAX_RUNGS, ROUTINGS, type Routing } from '../../shared/routing.ts';

/** `application`: of the person, wherever the folder is. */
type Scope = 'machine' | 'window' | 'application';

interface Setting {
  readonly type: 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object';
  readonly default: unknown;
  readonly scope: Scope;
  readonly markdownDescription: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly enum?: readonly string[];
  readonly enumDescriptions?: readonly string[];
  readonly items?: object;
  readonly properties?: Readonly<Record<string, object>>;
  readonly additionalProperties?: boolean;
  readonly uniqueItems?: boolean;
}

const model = (role: string, name: string): Setting => ({
  type: 'string',
  default: name,
  scope: 'machine',
  markdownDescription: `Model of the ${role}, and how much it thinks if you add a level: \`${name} high\`. Levels: ${EFFORTS.join(', ')}. A model of another server is named with its connection, e.g. \`ollama/qwen3\`: the command *Choose Models…* lists them.`,
});

const count = (value: number, minimum: number, maximum: number, scope: Scope, text: string): Setting => ({
  type: 'integer',
  default: value,
  minimum,
  maximum,
  scope,
  markdownDescription: text,
});

const PROVIDER_TEXTS = {
  anthropic: 'The Messages API, with your key.',
  simulated: 'A simulation that needs no key and costs nothing.',
  'vscode-lm':
    'A language model of the editor, of Copilot for instance. It names no prices: calls and tokens are limited.',
};
const GATE_TEXTS: Record<(typeof GATES)[number], string> = {
  plan: 'Before the plan runs.',
  phase: 'After each approved phase.',
  merge: 'Before the result is merged.',
};
const MERGE_TEXTS: Record<(typeof MERGE_MODES)[number], string> = {
  merge: 'Merge into the branch that the job started from.',
  branch: 'Leave the result on a separate branch.',
  patch: 'Write a patch file.',
};

const ROUTING_TEXTS: Record<Routing, string> = {
  off: 'Each role has one model.',
  suggest: 'Each role has one model, and the card shows what routing would choose.',
  on: 'Routing chooses from `autonomous.ladders`.',
};

const CONVERSATION_TEXTS: Record<(typeof CONVERSATION_MODES)[number], string> = {
  continue: 'Continue the conversation of the last attempt if that is cheaper than a new one.',
  fresh: 'Start a new conversation with a digest of all earlier attempts.',
};

const AUTHOR_TEXTS: Record<(typeof COMMIT_AUTHORS)[number], string> = {
  user: 'Your name and email, as your git is configured; Autonomous is the co-author.',
  autonomous: 'Autonomous.',
};

const BRIEF: Record<string, Setting> = {
  gates: {
    type: 'array',
    items: { type: 'string', enum: GATES, enumDescriptions: GATES.map((gate) => GATE_TEXTS[gate]) },
    uniqueItems: true,
    default: ['plan', 'merge'],
    scope: 'machine',
    markdownDescription: 'Gates at which a new job needs your approval.',
  },
  mergeMode: {
    type: 'string',
    enum: MERGE_MODES,
    enumDescriptions: MERGE_MODES.map((mode) => MERGE_TEXTS[mode]),
    default: 'merge',
    scope: 'machine',
    markdownDescription: 'How the result of a new job is delivered.',
  },
  commitAuthor: {
    type: 'string',
    enum: COMMIT_AUTHORS,
    enumDescriptions: COMMIT_AUTHORS.map((author) => AUTHOR_TEXTS[author]),
    default: 'user',
    scope: 'window',
    markdownDescription: 'Author of the commits of a new job.',
  },
  batch: count(
    3,
    1,
    10,
    'window',
    'Features that one worker conversation may take in a row. With 1, each feature gets a new conversation.',
  ),
  lanes: count(
    DEFAULT_LANES,
    1,
    MAX_LANES,
    'window',
    'Features of a new job that are worked on at the same time. A simulated job works on one, unless you change this.',
  ),
  conversation: {
    type: 'string',
    enum: CONVERSATION_MODES,
    enumDescriptions: CONVERSATION_MODES.map((mode) => CONVERSATION_TEXTS[mode]),
    default: 'continue',
    scope: 'window',
    markdownDescription: 'How another attempt at a feature starts.',
  },
  reviewEachFeature: {
    type: 'boolean',
    default: false,
    scope: 'window',
    markdownDescription: 'Review every feature separately, besides the review of each phase. Costs more.',
  },
};

const MODEL: Record<string, Setting> = {
  provider: {
    type: 'string',
    enum: Object.keys(PROVIDER_TEXTS),
    enumDescriptions: Object.values(PROVIDER_TEXTS),
    default: 'anthropic',
    scope: 'machine',
    markdownDescription: 'Provider of the model calls of new jobs.',
  },
  baseUrl: {
    type: 'string',
    default: '',
    scope: 'machine',
    markdownDescription:
      'Base URL of a server that speaks the Messages API. If empty, `ANTHROPIC_BASE_URL` is used, or else `https://api.anthropic.com`. Your key is sent there.',
  },
  'models.planner': model('planner', 'claude-opus-5-5'),
  'models.worker': model('worker', 'claude-sonnet-5-5'),
  'models.reviewer': model('reviewer', 'claude-opus-5-5'),
  'models.summarizer': model('summarizer', 'claude-haiku-5-5'),
  'models.main': {
    type: 'string',
    default: '',
    scope: 'machine',
    markdownDescription:
      'Model of the main agent, which you talk to in the chat. If empty, the built-in model is used.',
  },
  'models.editor': {
    type: 'string',
    default: '',
    scope: 'machine',
    markdownDescription:
      'With `vscode-lm`: the language model of the editor that plays all roles, as `<vendor>/<id>`. The command *Choose Provider* sets it.',
  },
  routing: {
    type: 'string',
    enum: ROUTINGS,
    enumDescriptions: ROUTINGS.map((one) => ROUTING_TEXTS[one]),
    default: 'off',
    scope: 'machine',
    markdownDescription:
      'Whether the built-in agent starts a feature with the model that makes a passed feature cheapest, by the results in this folder, and takes a stronger one after a failed attempt. Each choice and its reason are on the card.',
  },
  ladders: {
    type: 'object',
    properties: Object.fromEntries(
      LADDER_ROLES.map((role) => [
        role,
        { type: 'array', items: { type: 'string' }, uniqueItems: true, minItems: 1, maxItems: MAX_RUNGS },
      ]),
    ),
    additionalProperties: false,
    default: {},
    scope: 'machine',
    markdownDescription:
      'Models for `autonomous.routing` by role, each from cheap to strong, all with a price. Without an entry, the worker has `claude-haiku-5-5`, `claude-sonnet-5-5` and `claude-opus-5-5`; the planner and the reviewer keep their model. A ladder of the planner or the reviewer contains the model of the role, and starts there.',
  },
  executors: {
    type: 'object',
    properties: Object.fromEntries(EXECUTOR_ROLES.map((role) => [role, { type: 'string' }])),
    additionalProperties: false,
    default: {},
    scope: 'machine',
    markdownDescription:
      'Agents of new jobs, by role: an agent that *Show Agents* lists, or `builtin`. A role that is not set uses the built-in agent. The command *Choose Agent…* changes this setting.',
  },
  concurrentCalls: count(4, 1, 32, 'machine', 'Model calls in flight at once, over all jobs of a folder.'),
  'simulated.delayMs': count(400, 0, 60_000, 'window', 'Pause before each simulated reply, in milliseconds.'),
};

const usd = (value: number, text: string): Setting => ({
  type: 'number',
  default: value,
  minimum: 0,
  scope: 'machine',
  markdownDescription: text,
});

const LIMITS: Record<string, Setting> = {
  'limits.jobUsd': usd(
    10,
    'Budget of a new job, in USD. When it is used up, the job asks for more. Use 0 for no limit.',
  ),
  'limits.dayUsd': usd(
    0,
    'Initial daily limit of a folder, in USD, over all its jobs. To change it later, run *Set Daily Limit*. Use 0 for no limit.',
  ),
  'limits.attemptTurns': count(
    80,
    1,
    1_000,
    'machine',
    'Model calls of one attempt at a feature. At the limit, the attempt fails.',
  ),
  'limits.attemptTokens': count(
    4_000_000,
    10_000,
    1_000_000_000,
    'machine',
    'Tokens of one attempt, input (cache reads included) and output. At the limit, the attempt fails.',
  ),
  'limits.attemptMinutes': count(60, 1, 1_440, 'machine', 'Time limit of one attempt, in minutes.'),
  'limits.attemptUsd': { ...usd(5, 'Maximum cost of one attempt, in USD.'), minimum: 0.01 },
  'limits.tries': count(3, 1, 10, 'machine', 'Failed attempts of a feature after which it is not picked again.'),
  'limits.phaseTries': count(
    3,
    1,
    10,
    'machine',
    'Attempts of a phase whose review rejects it. After these, the job fails.',
  ),
  'limits.unpricedCalls': count(
    500,
    1,
    100_000,
    'machine',
    'Calls of a new job with `vscode-lm`, or turns of agents with their own account. At the limit, the job asks for more.',
  ),
  'limits.unpricedTokens': count(
    20_000_000,
    10_000,
    10_000_000_000,
    'machine',
    'Tokens of a new job with `vscode-lm` or of agents with their own account, input and output. At the limit, the job asks for more.',
  ),
};

const SANDBOX_TEXTS = {
  auto: 'In a sandbox that is first tested with real escapes. Without a sandbox, you are asked before each command.',
  off: 'Without a sandbox: you are asked before each command that is not in `autonomous.allowedCommands`.',
};

const RUN: Record<string, Setting> = {
  jobsDir: {
    type: 'string',
    default: '',
    scope: 'machine',
    markdownDescription:
      'Absolute folder for the clones of jobs. If empty, `.autonomous/jobs` in your home folder is used.',
  },
  clonesGigabytes: count(
    20,
    0,
    100_000,
    'machine',
    'Maximum total size of the clones of a workspace, in gigabytes. Above it, the clones of ended jobs are removed, the oldest first. The work of their attempts is kept. With 0, a clone is removed when its job ends.',
  ),
  resumeOnOpen: {
    type: 'boolean',
    default: true,
    scope: 'machine',
    markdownDescription: 'Resume running jobs when the window opens.',
  },
  keepAwake: {
    type: 'boolean',
    default: true,
    scope: 'machine',
    markdownDescription:
      'Keep the machine that runs the jobs awake while work runs, or continues without you within six hours. The screen may turn off. A closed lid or an empty battery can still send it to sleep.',
  },
  sandbox: {
    type: 'string',
    enum: Object.keys(SANDBOX_TEXTS),
    enumDescriptions: Object.values(SANDBOX_TEXTS),
    default: 'auto',
    scope: 'machine',
    markdownDescription:
      'Where the commands of agents and the verify commands run. *Doctor* shows what the sandbox lacks.',
  },
  verifyMinutes: count(10, 1, 240, 'machine', 'Time limit of one verify or setup command, in minutes.'),
  allowedCommands: {
    type: 'array',
    items: { type: 'array', items: { type: 'string' } },
    default: [],
    scope: 'machine',
    markdownDescription:
      'Commands that may run without asking if there is no sandbox. Each is an exact list of words, for example `["npm", "test"]`.',
  },
};

const RELAY_TEXTS = {
  rules:
    'Forwarded verbatim if it is clear which project a message concerns. Otherwise you are asked, or the main agent while you talk to it.',
  ask: 'You are asked about each message.',
  main: 'The main agent decides about each, at the cost of its calls.',
  off: 'Nothing is forwarded automatically.',
};

const PROJECTS: Record<string, Setting> = {
  'projects.idleMinutes': count(
    240,
    0,
    525_600,
    'machine',
    'Minutes without work after which a project is suspended, unless its PROJECT.md sets another value. Use 0 for never.',
  ),
  'projects.relay': {
    type: 'string',
    enum: Object.keys(RELAY_TEXTS),
    enumDescriptions: Object.values(RELAY_TEXTS),
    default: 'rules',
    scope: 'machine',
    markdownDescription: 'How a message of one project reaches another project that it concerns.',
  },
  'projects.notify': {
    type: 'boolean',
    default: true,
    scope: 'application',
    markdownDescription:
      'Show a notification for messages of projects. Unread messages are always counted on the board.',
  },
  'projects.memoryMb': count(
    1_024,
    128,
    16_384,
    'machine',
    'Memory limit of a project’s worker thread, in megabytes. A thread that exceeds it is terminated and restarted.',
  ),
};

const TASKS: Record<string, Setting> = {
  'tasks.allowedHosts': {
    type: 'array',
    items: { type: 'string' },
    uniqueItems: true,
    default: [],
    scope: 'machine',
    markdownDescription:
      'Hosts that steps of tasks may fetch from (`http_get`), for example `api.github.com` or `localhost:8080`. If empty, such steps fail.',
  },
};

const API: Record<string, Setting> = {
  'api.enabled': {
    type: 'boolean',
    default: false,
    scope: 'machine',
    markdownDescription:
      'Serve tasks over HTTP and WebSocket, on this machine only, to clients that have the token. To get both, run *Copy API Address* and *Copy API Token*.',
  },
  'api.port': count(0, 0, 65_535, 'machine', 'Port of the API. With 0, a free port is chosen at each start.'),
};

const NOTIFICATION_TEXTS = {
  all: 'Pending approvals, results, and failures of jobs.',
  approvals: 'Pending approvals. Failures are written to the log.',
  none: 'No notifications. Failures are written to the log.',
};

const WINDOW: Record<string, Setting> = {
  statusBar: {
    type: 'boolean',
    default: true,
    scope: 'application',
    markdownDescription: 'Show running jobs, today’s cost and pending approvals in the status bar.',
  },
  badge: {
    type: 'boolean',
    default: true,
    scope: 'application',
    markdownDescription: 'Show the number of pending approvals on the icon in the activity bar.',
  },
  'notes.codeLens': {
    type: 'boolean',
    default: false,
    scope: 'application',
    markdownDescription: 'Show a lens above lines that have notes. Their threads in the margin are always shown.',
  },
  notifications: {
    type: 'string',
    enum: Object.keys(NOTIFICATION_TEXTS),
    enumDescriptions: Object.values(NOTIFICATION_TEXTS),
    default: 'all',
    scope: 'application',
    markdownDescription:
      'Events that show a notification. Pending approvals are always shown on the board and in the sidebar.',
  },
  osNotifications: {
    type: 'boolean',
    default: false,
    scope: 'application',
    markdownDescription:
      'Show a notification of the operating system when an approval is pending or a job ends while VS Code is not in front. It contains only counts. It needs `notify-send` on Linux, or `terminal-notifier` on macOS. It does nothing on Windows, or in remote, WSL, SSH and browser windows: there, Autonomous runs on another machine than the one in front of you.',
  },
};

function group(title: string, settings: Readonly<Record<string, Setting>>, order: number) {
  const entries = Object.entries(settings).map(([name, setting], index) => [
    `autonomous.${name}`,
    { ...setting, order: index + 1 },
  ]);
  return { title, order, properties: Object.fromEntries(entries) as Record<string, Setting & { order: number }> };
}

export const SETTINGS = [
  group('Briefs', BRIEF, 1),
  group('Models', MODEL, 2),
  group('Limits', LIMITS, 3),
  group('Running', RUN, 4),
  group('Projects', PROJECTS, 5),
  group('Tasks', TASKS, 6),
  group('API', API, 7),
  group('Window', WINDOW, 8),
];

/** Settings that a repository may set only once it is trusted: all that it may set about the way of working. */
export const RESTRICTED: readonly string[] = [BRIEF, MODEL, LIMITS, RUN, PROJECTS]
  .flatMap((settings) => Object.entries(settings))
  .filter(([, { scope }]) => scope === 'window')
  .map(([name]) => `autonomous.${name}`);

/** Excludes `.autonomous` from the user's searches, and what changes often there from the editor's watchers. */
export const EDITOR_DEFAULTS = {
  'search.exclude': { '**/.autonomous': true },
  'files.watcherExclude': {
    '**/.autonomous/events/**': true,
    '**/.autonomous/epoch/**': true,
    '**/.autonomous/sessions/**': true,
    '**/.autonomous/answers/**': true,
    '**/.autonomous/artifacts/**': true,
    '**/.autonomous/features.db*': true,
  },
} as const;
