/** Sample projects and their messages, for a plain browser and the tests. */
import {
  type ConversationMessage,
  type ConversationView,
  type ProjectView,
  untouchedProject,
} from '../../src/shared/project/projectView.ts';

const AT = '2026-11-02T09:00:00.000Z';
const minutes = (amount: number) => new Date(Date.parse(AT) + amount * 60_000).toISOString();

function project(name: string, patch: Partial<ProjectView>): ProjectView {
  return { ...untouchedProject(name, AT), ...patch };
}

/** For a user who created no project. */
export const ONLY_DEFAULT: readonly ProjectView[] = [
  project('default', { doing: 'working', liveJobs: 3, jobs: 3, questions: 3 }),
];

export const MAIN_AGENT = project('main', { unread: 1, totalUsd: 0.21, lastAt: minutes(64) });

export const PROJECTS: readonly ProjectView[] = [
  project('default', { doing: 'working', liveJobs: 2, jobs: 2, questions: 2, todayUsd: 1.11, totalUsd: 4.2 }),
  project('api-migration', {
    goal: 'Move every endpoint from v1 to v2 without breaking a client.',
    doing: 'talking',
    workdir: '/home/someone/src/api-server',
    model: 'claude-sonnet-4-6',
    liveJobs: 1,
    jobs: 4,
    questions: 1,
    unread: 2,
    todayUsd: 0.84,
    totalUsd: 12.3,
    dayLimitUsd: 2,
    lastAt: minutes(42),
  }),
  project('docs', {
    status: 'suspended',
    reason: 'idle for 60 minutes',
    goal: 'Keep the manual true.',
    doing: 'stopped',
    jobs: 2,
    totalUsd: 1.75,
  }),
  project('old-importer', {
    status: 'archived',
    doing: 'stopped',
    jobs: 7,
    totalUsd: 22.5,
    goal: 'Read the old format.',
  }),
  project('test-coverage', {
    goal: 'Every branch of the parser is walked by a test.',
    parked: true,
    reason: 'PROJECT.md, line 7: unknown key "modle"',
    doing: 'stopped',
    jobs: 1,
    todayUsd: 0.07,
    totalUsd: 0.07,
    dayLimitUsd: 1,
  }),
  project('web', { status: 'completed', reason: 'by you', doing: 'stopped', jobs: 3, totalUsd: 6.1 }),
];

function message(id: number, patch: Partial<ConversationMessage>): ConversationMessage {
  return {
    id,
    direction: 'in',
    sender: 'steward',
    text: '',
    concerns: null,
    at: minutes(id),
    read_at: minutes(id),
    relayedFrom: null,
    ...patch,
  };
}

const REPORT = `The inventory is done: **14 endpoints**, 3 of them used by the web client.

- \`GET /v1/items\` is the only one that pages
- \`POST /v1/orders\` has no version of its own
- the rest are plain reads

## What I propose

1. Add the v2 routes beside the v1 ones.
2. Move the web client.
3. Answer 410 on v1 after a month.

\`\`\`ts
router.get('/v2/items', page(listItems));
\`\`\`

Shall I begin with the routes?`;

const SAID: readonly ConversationMessage[] = [
  message(31, { text: 'Which endpoints of v1 are still used, and by whom? Do not change anything yet.' }),
  message(34, { direction: 'out', sender: 'project', text: REPORT }),
  message(36, { text: 'Yes, start. Keep v1 unchanged.' }),
  message(38, {
    sender: 'project',
    relayedFrom: 'web',
    text: 'We read `total` from the paging header of GET /v1/items. Please keep it in v2.',
  }),
  message(40, {
    direction: 'out',
    sender: 'project',
    concerns: 'web',
    passedTo: ['web'],
    read_at: null,
    text: 'v2 answers `total` in the body, not in a header: the web client has to read `page.total`.',
  }),
  message(41, {
    direction: 'out',
    sender: 'project',
    read_at: null,
    text: 'The routes are in place. The job needs your review.',
  }),
  message(42, { read_at: null, text: 'Thanks. Continue with the web client after the merge.' }),
];

const WITH_MAIN: readonly ConversationMessage[] = [
  message(60, { text: 'What is the status of all projects?' }),
  message(61, {
    direction: 'out',
    sender: 'main',
    text: 'api-migration has its routes in place and needs your review. docs is suspended. test-coverage is parked: line 7 of its PROJECT.md has an unknown key.',
  }),
  message(64, {
    direction: 'out',
    sender: 'main',
    read_at: null,
    text: 'I informed web that `total` moved into the body.',
  }),
];

const USUAL: Readonly<Record<string, readonly ConversationMessage[]>> = { 'api-migration': SAID, main: WITH_MAIN };

function many(amount: number): readonly ConversationMessage[] {
  return Array.from({ length: amount }, (_, index) => {
    const like = SAID[index % SAID.length];
    return message(index + 1, { ...like, id: index + 1, read_at: AT, text: `${index + 1}. ${like?.text}` });
  });
}

/** The newest messages of a conversation: of `amount` messages, or else of the sample's own if `said`. */
export function sampleConversation(
  said: boolean,
): (project: string, shown: number, amount: number) => ConversationView {
  let made: readonly ConversationMessage[] = [];
  return (project, shown, amount) => {
    if (made.length !== amount) made = many(amount);
    const all = amount > 0 ? made : ((said ? USUAL[project] : undefined) ?? []);
    const earlier = Math.max(0, all.length - shown);
    return { project, messages: all.slice(earlier), earlier, sessionId: project === 'api-migration' ? 77 : null };
  };
}
