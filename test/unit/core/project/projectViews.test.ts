/** What the surfaces show of projects, and of what is said in them. */
import { describe, expect, it } from 'vitest';
import { conversationView, projectViews } from '../../../../src/core/project/projectView.ts';
import { plainDefinition } from '../../../../src/core/project/reduceProjects.ts';
import { panelMaker } from '../../../../src/core/workspace/panel.ts';
import type { MessageRow, ProjectRow } from '../../../../src/shared/project/projects.ts';
import type { ProjectView } from '../../../../src/shared/project/projectView.ts';
import { NO_LOOK } from '../../../../src/shared/workspace/panel.ts';
import { applyChanges, type Change, type State } from '../../../../src/shared/workspace/state.ts';
import { approvalRow, jobRow, messageRow, sessionRow, spendRow, stateOf } from '../../../support/state/builders.ts';

const TODAY = '2026-11-02';
const AT = '2026-11-02T09:00:00.000Z';
const FRAME = { banner: null, mode: 'owner' } as const;

function project(id: string, patch: Partial<ProjectRow> = {}): ProjectRow {
  return {
    ...plainDefinition(),
    id,
    status: 'active',
    reason: null,
    parked: null,
    wait: null,
    ended_turn: null,
    trusted_workdir: null,
    created_at: AT,
    suspended_at: null,
    completed_at: null,
    archived_at: null,
    ...patch,
  };
}

function message(id: number, patch: Partial<MessageRow> = {}): MessageRow {
  const text = `message ${id}`;
  return messageRow({ id, project_id: 'api', direction: 'in', sender: 'steward', text, at: AT, read_at: AT, ...patch });
}

const ROWS = { projects: ['web', 'main', 'default', 'api'].map((id) => project(id)) };

let seq = 100;

function commit(state: State, ...changes: readonly Change[]): void {
  applyChanges(state, [...changes, { table: 'meta', put: { ...state.meta, last_seq: ++seq } }]);
}

describe('the list of projects', () => {
  it('begins with the default one, and has the main agent apart', () => {
    const state = stateOf(ROWS);
    expect(projectViews(state, TODAY).map(({ name }) => name)).toEqual(['default', 'api', 'web']);
    const { projects, mainAgent } = panelMaker().view(state, TODAY, FRAME, NO_LOOK, 0);
    expect(projects.map(({ name }) => name)).toEqual(['default', 'api', 'web']);
    expect(mainAgent?.name).toBe('main');
    expect(panelMaker().view(stateOf({}), TODAY, FRAME, NO_LOOK, 0).mainAgent).toBeNull();
  });

  const DOING: readonly [ProjectView['doing'], Parameters<typeof stateOf>[0]][] = [
    ['idle', {}],
    ['working', { jobs: [jobRow({ project_id: 'api', status: 'running' })] }],
    ['waiting', { jobs: [jobRow({ project_id: 'api', status: 'awaiting_steward' })] }],
    [
      'talking',
      { messages: [message(1, { read_at: null })], jobs: [jobRow({ project_id: 'api', status: 'running' })] },
    ],
    ['talking', { spends: [spendRow({ project_id: 'api', job_id: null, status: 'reserved' })] }],
    ['idle', { spends: [spendRow({ project_id: 'api', job_id: null, status: 'settled' })] }],
    // Interrupted before its first call: nothing is asked, and it is not over.
    [
      'talking',
      { messages: [message(1)], sessions: [sessionRow({ project_id: 'api', job_id: null, role: 'project' })] },
    ],
    ['idle', { messages: [message(1, { direction: 'out', sender: 'project', read_at: null })] }],
    [
      'stopped',
      { projects: [project('api', { parked: 'PROJECT.md, line 3' })], messages: [message(1, { read_at: null })] },
    ],
    [
      'waiting',
      {
        messages: [message(1, { read_at: null })],
        approvals: [approvalRow({ id: 4, job_id: null, project_id: 'api', kind: 'provider' })],
      },
    ],
    ['stopped', { projects: [project('api', { status: 'suspended' })] }],
  ];
  it.each(DOING)('says that one is %s', (doing, rows) => {
    const api = projectViews(stateOf({ ...ROWS, ...rows }), TODAY).find(({ name }) => name === 'api');
    expect(api?.doing).toBe(doing);
  });

  it('counts money of the day and in all, questions, and what nobody read', () => {
    const limits = { dayMicroUsd: 2_000_000, totalMicroUsd: null, tokens: null, toolCalls: null };
    const state = stateOf({
      projects: [project('api', { limits, body: '# Goal\n\n- Move the endpoints.\nMore.' })],
      spends: [
        spendRow({ id: 1, project_id: 'api', job_id: null, day: TODAY, settled_micro_usd: 250_000 }),
        spendRow({ id: 2, project_id: 'api', day: '2026-11-01', settled_micro_usd: 500_000 }),
        spendRow({ id: 3, project_id: 'web', day: TODAY, settled_micro_usd: 9_000_000 }),
      ],
      approvals: [approvalRow({ id: 4, job_id: null, project_id: 'api', kind: 'workdir' })],
      messages: [
        message(1, { direction: 'out', sender: 'project', read_at: null }),
        message(2, { direction: 'out', sender: 'project' }),
        message(3, { read_at: null }),
      ],
    });
    expect(projectViews(state, TODAY)).toEqual([
      expect.objectContaining({
        goal: 'Move the endpoints.',
        todayUsd: 0.25,
        totalUsd: 0.75,
        dayLimitUsd: 2,
        questions: 1,
        unread: 1,
      }),
    ]);
  });

  it('keeps what did not change as the same objects, and costs nothing while nothing happens', () => {
    const state = stateOf(ROWS);
    const maker = panelMaker();
    const view = () => maker.view(state, TODAY, FRAME, NO_LOOK, 0).projects;
    const before = view();
    expect(view()).toBe(before);
    commit(state, { table: 'spends', put: spendRow({ id: 9, project_id: 'api', day: TODAY, settled_micro_usd: 5 }) });
    const after = view();
    expect(after.map((one, at) => one === before[at])).toEqual([true, false, true]);
    expect(after).toEqual(projectViews(state, TODAY));
    expect(maker.view(state, '2026-11-03', FRAME, NO_LOOK, 0).projects[1]?.todayUsd).toBe(0);
  });
});

describe('a conversation', () => {
  it('comes only while it is looked at, with as many of the newest as are asked for', () => {
    const state = stateOf({ ...ROWS, messages: Array.from({ length: 30 }, (_, index) => message(index + 1)) });
    const maker = panelMaker();
    expect(maker.view(state, TODAY, FRAME, NO_LOOK, 0).conversation).toBeNull();
    const look = { ...NO_LOOK, conversation: 'api', messages: 10 };
    const { conversation } = maker.view(state, TODAY, FRAME, look, 0);
    expect(conversation).toMatchObject({ project: 'api', earlier: 20, sessionId: null });
    expect(conversation?.messages.map(({ id }) => id)).toEqual(Array.from({ length: 10 }, (_, at) => at + 21));
    commit(state, { table: 'messages', put: message(30, { read_at: null }) });
    const again = maker.view(state, TODAY, FRAME, look, 0).conversation;
    expect(again?.messages.map((one, at) => one === conversation?.messages[at])).toEqual([
      ...Array.from({ length: 9 }, () => true),
      false,
    ]);
  });

  it('says whose message was passed on, and which session answers', () => {
    const state = stateOf({
      ...ROWS,
      messages: [
        message(1, { project_id: 'web', direction: 'out', sender: 'project' }),
        message(2, { sender: 'project', relayed_from: 1 }),
      ],
      sessions: [
        sessionRow({ id: 5, project_id: 'api', job_id: null, role: 'project', status: 'running' }),
        sessionRow({ id: 6, project_id: 'api', job_id: null, role: 'subagent', parent_id: 5, status: 'running' }),
        sessionRow({ id: 7, project_id: 'api', role: 'worker', status: 'running' }),
      ],
    });
    const view = conversationView(state, 'api');
    expect(view.sessionId).toBe(5);
    expect(view.messages.map(({ relayedFrom }) => relayedFrom)).toEqual(['web']);
    expect(conversationView(state, 'web').messages.map(({ passedTo }) => passedTo)).toEqual([['api']]);
  });

  it('holds no more text than a page can take, and its newest message whatever its length', () => {
    const long = (id: number) => message(id, { text: 'x'.repeat(60_000) });
    const state = stateOf({ ...ROWS, messages: Array.from({ length: 100 }, (_, index) => long(index + 1)) });
    const { messages, earlier } = conversationView(state, 'api', 100);
    expect(messages.length).toBe(33);
    expect(earlier).toBe(67);
    const one = stateOf({ ...ROWS, messages: [message(1, { text: 'x'.repeat(3_000_000) })] });
    expect(conversationView(one, 'api').messages.length).toBe(1);
  });
});
