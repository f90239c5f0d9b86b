/**
 * The settings, as package.json declares them. What could cost money, send data elsewhere, run or approve something is of
 * the machine: a repository's own settings file cannot set it. What it may say about the way of working counts once it is trusted.
 */

import { EXECUTOR_ROLES } from '../../shared/agent/executors.ts';
import { COMMIT_AUTHORS, CONVERSATION_MODES, GATES, MERGE_MODES } from '../../shared/job/rows.ts';
import { EFFORTS } from '../../shared/model/effort.ts';

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
  markdownDescription: `Model of the ${role}, and how much it thinks if you add a level: \`${name} high\`. Levels: ${EFFORTS.join(', ')}.`,
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
  plan: 'Before the plan is carried out.',
  phase: 'After each approved phase.',
  merge: 'Before the result is merged.',
};
const MERGE_TEXTS: Record<(typeof MERGE_MODES)[number], string> = {
  merge: 'Merge into the branch that the job began from.',
  branch: 'Leave the result on a branch of its own.',
  patch: 'Write a patch file.',
};

const CONVERSATION_TEXTS: Record<(typeof CONVERSATION_MODES)[number], string> = {
  continue: 'Continue the conversation of the last attempt, where that is cheaper than a new one.',
  fresh: 'Begin a new conversation with a digest of all earlier attempts.',
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
    markdownDescription: 'Where a new job waits for your approval.',
  },
  mergeMode: {
    type: 'string',
    enum: MERGE_MODES,
    enumDescriptions: MERGE_MODES.map((mode) => MERGE_TEXTS[mode]),
    default: 'merge',
    scope: 'machine',
    markdownDescription: 'What becomes of the result of a new job.',
  },
  commitAuthor: {
    type: 'string',
    enum: COMMIT_AUTHORS,
    enumDescriptions: COMMIT_AUTHORS.map((author) => AUTHOR_TEXTS[author]),
    default: 'user',
    scope: 'window',
    markdownDescription: 'Author of the commits of a new job.',
  },
  batch: count(3, 1, 10, 'window', 'Features that one worker conversation may take in a row; 1 begins anew for each.'),
  conversation: {
    type: 'string',
    enum: CONVERSATION_MODES,
    enumDescriptions: CONVERSATION_MODES.map((mode) => CONVERSATION_TEXTS[mode]),
    default: 'continue',
    scope: 'window',
    markdownDescription: 'How another attempt at a feature begins.',
  },
  reviewEachFeature: {
    type: 'boolean',
    default: false,
    scope: 'window',
    markdownDescription: 'Review every feature by itself, besides the review of each phase. Costs more.',
  },
};

const MODEL: Record<string, Setting> = {
  provider: {
    type: 'string',
    enum: Object.keys(PROVIDER_TEXTS),
    enumDescriptions: Object.values(PROVIDER_TEXTS),
    default: 'anthropic',
    scope: 'machine',
    markdownDescription: 'Who answers the model calls of new jobs.',
  },
  baseUrl: {
    type: 'string',
    default: '',
    scope: 'machine',
    markdownDescription:
      'Base URL of a server that speaks the Messages API. Empty: `ANTHROPIC_BASE_URL`, or else `https://api.anthropic.com`. Your key is sent there.',
  },
  'models.planner': model('planner', 'claude-opus-5-5'),
  'models.worker': model('worker', 'claude-sonnet-5-5'),
  'models.reviewer': model('reviewer', 'claude-opus-5-5'),
  'models.summarizer': model('summarizer', 'claude-haiku-5-5'),
  'models.main': {
    type: 'string',
    default: '',
    scope: 'machine',
    markdownDescription: 'Model of the main agent, which you talk to in the chat. Empty: the built-in one.',
  },
  'models.editor': {
    type: 'string',
    default: '',
    scope: 'machine',
    markdownDescription:
      'With `vscode-lm`: the language model of the editor that plays all roles, as `<vendor>/<id>`. The command *Choose Provider* sets it.',
  },
  executors: {
    type: 'object',
    properties: Object.fromEntries(EXECUTOR_ROLES.map((role) => [role, { type: 'string' }])),
    additionalProperties: false,
    default: {},
    scope: 'machine',
    markdownDescription:
      'Who does the sessions of new jobs, by role: an agent that *Show Agents* names, or `builtin`. What is absent is done by the built-in agent. The command *Choose Agent…* sets it.',
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
  'limits.jobUsd': usd(10, 'Budget of a new job, in USD. When it is used up, the job asks for more. 0: none.'),
  'limits.dayUsd': usd(
    0,
    'Daily limit that a folder begins with, in USD, over all its jobs. Afterwards the command *Set Daily Limit* changes it. 0: none.',
  ),
  'limits.attemptTurns': count(80, 1, 1_000, 'machine', 'Model calls of one attempt at a feature; then it has failed.'),
  'limits.attemptTokens': count(
    4_000_000,
    10_000,
    1_000_000_000,
    'machine',
    'Tokens of one attempt, input (cache reads included) and output; then it has failed.',
  ),
  'limits.attemptMinutes': count(60, 1, 1_440, 'machine', 'Longest time of one attempt, in minutes.'),
  'limits.attemptUsd': { ...usd(5, 'Most that one attempt may cost, in USD.'), minimum: 0.01 },
  'limits.tries': count(3, 1, 10, 'machine', 'Failed tries of a feature after which it is not picked again.'),
  'limits.phaseTries': count(
    3,
    1,
    10,
    'machine',
    'Times through a phase whose review keeps rejecting it; then the job has failed.',
  ),
  'limits.unpricedCalls': count(
    500,
    1,
    100_000,
    'machine',
    'Calls of a new job with `vscode-lm`, or turns of agents with an account of their own; then it asks for more.',
  ),
  'limits.unpricedTokens': count(
    20_000_000,
    10_000,
    10_000_000_000,
    'machine',
    'Tokens of a new job with `vscode-lm` or of agents with an account of their own, input and output; then it asks for more.',
  ),
};

const SANDBOX_TEXTS = {
  auto: 'In a sandbox that is tried by real escapes first. Where there is none, each command is asked for.',
  off: 'Without a sandbox: each command is asked for, but for those in `autonomous.allowedCommands`.',
};

const RUN: Record<string, Setting> = {
  jobsDir: {
    type: 'string',
    default: '',
    scope: 'machine',
    markdownDescription: 'Absolute folder where the clones of jobs are made. Empty: `.autonomous/jobs` in your home.',
  },
  clonesGigabytes: count(
    20,
    0,
    100_000,
    'machine',
    'What the clones of a workspace may take in all, in gigabytes. Over it those of jobs that are over go, the oldest first; the work of their attempts is kept. 0: they go when their job ends.',
  ),
  resumeOnOpen: {
    type: 'boolean',
    default: true,
    scope: 'machine',
    markdownDescription: 'Go on with jobs that were under way when the window opens.',
  },
  sandbox: {
    type: 'string',
    enum: Object.keys(SANDBOX_TEXTS),
    enumDescriptions: Object.values(SANDBOX_TEXTS),
    default: 'auto',
    scope: 'machine',
    markdownDescription:
      'Where the commands of agents and the verify commands run. *Doctor* says what the sandbox lacks.',
  },
  verifyMinutes: count(10, 1, 240, 'machine', 'Longest time of one verify or setup command, in minutes.'),
  allowedCommands: {
    type: 'array',
    items: { type: 'array', items: { type: 'string' } },
    default: [],
    scope: 'machine',
    markdownDescription:
      'Where there is no sandbox: commands that may run without being asked for, each an exact list of words, for example `["npm", "test"]`.',
  },
};

const RELAY_TEXTS = {
  rules:
    'Passed on word for word where it is clear whom it concerns; else you, or the main agent while you talk to it, are asked.',
  ask: 'You are asked about each message.',
  main: 'The main agent decides about each, at the cost of its calls.',
  off: 'Nothing is passed on by itself.',
};

const PROJECTS: Record<string, Setting> = {
  'projects.idleMinutes': count(
    240,
    0,
    525_600,
    'machine',
    'Minutes without anything to do after which a project is suspended, unless its PROJECT.md says otherwise. 0: never.',
  ),
  'projects.relay': {
    type: 'string',
    enum: Object.keys(RELAY_TEXTS),
    enumDescriptions: Object.values(RELAY_TEXTS),
    default: 'rules',
    scope: 'machine',
    markdownDescription: 'How what one project says reaches another that it concerns.',
  },
  'projects.notify': {
    type: 'boolean',
    default: true,
    scope: 'application',
    markdownDescription: 'Tell in a notification what projects said. Unread messages are counted on the board anyway.',
  },
  'projects.memoryMb': count(
    1_024,
    128,
    16_384,
    'machine',
    'Most memory of one project’s worker thread, in megabytes. One that takes more ends, and is started again.',
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
      'Hosts that steps of tasks may fetch from (`http_get`), for example `api.github.com` or `localhost:8080`. None: such steps fail.',
  },
};

const API: Record<string, Setting> = {
  'api.enabled': {
    type: 'boolean',
    default: false,
    scope: 'machine',
    markdownDescription:
      'Serve tasks over HTTP and WebSocket, on this machine alone, to whoever has the token: the commands *Copy API Address* and *Copy API Token* say how to reach it.',
  },
  'api.port': count(0, 0, 65_535, 'machine', 'The port of the API; 0: any that is free, another one each time.'),
};

const NOTIFICATION_TEXTS = {
  all: 'Approvals that wait, results, and failures of jobs.',
  approvals: 'Approvals that wait. Failures are written to the log.',
  none: 'Nothing. Failures are written to the log.',
};

const WINDOW: Record<string, Setting> = {
  statusBar: {
    type: 'boolean',
    default: true,
    scope: 'application',
    markdownDescription: 'Show running jobs, today’s cost and what waits in the status bar.',
  },
  badge: {
    type: 'boolean',
    default: true,
    scope: 'application',
    markdownDescription: 'Show on the icon in the activity bar how many approvals wait.',
  },
  'notes.codeLens': {
    type: 'boolean',
    default: false,
    scope: 'application',
    markdownDescription: 'Show a lens above lines that have notes. Their threads are in the margin whatever this says.',
  },
  notifications: {
    type: 'string',
    enum: Object.keys(NOTIFICATION_TEXTS),
    enumDescriptions: Object.values(NOTIFICATION_TEXTS),
    default: 'all',
    scope: 'application',
    markdownDescription:
      'What is told in a notification. Whatever this says, approvals wait on the board and in the sidebar.',
  },
  osNotifications: {
    type: 'boolean',
    default: false,
    scope: 'application',
    markdownDescription:
      'Show a notification of the operating system when an approval waits or a job ends while VS Code is not in front. It names counts only. It needs `notify-send` on Linux, or `terminal-notifier` on macOS. It stays silent on Windows, and in remote, WSL, SSH and browser windows, where Autonomous runs on another machine than the one in front of you.',
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

/** Of a repository's settings these wait for its being trusted: all that it may set about the way of working. */
export const RESTRICTED: readonly string[] = [BRIEF, MODEL, LIMITS, RUN, PROJECTS]
  .flatMap((settings) => Object.entries(settings))
  .filter(([, { scope }]) => scope === 'window')
  .map(([name]) => `autonomous.${name}`);

/** What lies in `.autonomous` is no text of the person's. Its `epoch` folder is left out of nothing: this extension watches it. */
export const EDITOR_DEFAULTS = {
  'search.exclude': { '**/.autonomous': true },
  'files.watcherExclude': {
    '**/.autonomous/events/**': true,
    '**/.autonomous/sessions/**': true,
    '**/.autonomous/answers/**': true,
    '**/.autonomous/artifacts/**': true,
    '**/.autonomous/features.db*': true,
  },
} as const;
