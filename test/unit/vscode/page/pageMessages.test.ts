/** What the page says is validated: anything of another shape is ignored and logged, and nothing is done. */

import { expect, it, vi } from 'vitest';
import type { Clock } from '../../../../src/shared/clock.ts';
import type { ToPage } from '../../../../src/shared/workspace/pageProtocol.ts';
import { NO_LOOK } from '../../../../src/shared/workspace/panel.ts';
import { emptyState } from '../../../../src/shared/workspace/state.ts';
import type { HostContext } from '../../../../src/vscode/window/context.ts';
import { FakeEmitter } from '../../../support/editor/fakeEditor.ts';
import { FakeClock } from '../../../support/time/fakeClock.ts';
import { untilHolds } from '../../../support/time/untilHolds.ts';

vi.mock('vscode', () => ({
  Disposable: { from: () => ({ dispose: () => undefined }) },
  Uri: { joinPath: (base: { fsPath: string }, ...parts: string[]) => ({ fsPath: [base.fsPath, ...parts].join('/') }) },
  env: { language: 'en' },
  l10n: { t: (text: string) => text },
  window: { showErrorMessage: async () => undefined },
}));

const { servePage } = await import('../../../../src/vscode/page/webviewSource.ts');

function page(acts: (message: unknown) => void = () => undefined) {
  const clock = new FakeClock();
  const posted: ToPage[] = [];
  const heard = new FakeEmitter<unknown>();
  const acted: unknown[] = [];
  const warned: string[] = [];
  const silent = new FakeEmitter<unknown>();
  const looked = new FakeEmitter<void>();
  const agents = { seen: null as object | null, onDidChange: looked.event };
  const context = {
    extension: { extensionUri: { fsPath: '/extension' } },
    log: { warn: (text: string) => warned.push(text), error: (text: unknown) => warned.push(String(text)) },
    engine: {
      state: emptyState(),
      current: null,
      blocker: null,
      onDidChange: silent.event,
      onDidLive: silent.event,
    },
    agents,
    today: () => '2026-11-22',
  } as unknown as HostContext;
  const webview = {
    onDidReceiveMessage: heard.event,
    postMessage: async (message: ToPage) => posted.push(message) > 0,
    asWebviewUri: (uri: object) => uri,
    cspSource: 'self',
  };
  const act = async (message: unknown) => {
    acted.push(message);
    acts(message);
  };
  const served = servePage(
    { context, clock: clock as Clock, act },
    { webview: webview as never, place: 'board', visible: () => true },
  );
  return { heard, acted, warned, clock, posted, served, agents, looked };
}

const GOOD = { kind: 'reorderFeature', featureId: 1, position: 2 };

it.each([
  ['nothing', null],
  ['a word', 'approve'],
  ['a list', [GOOD]],
  ['no kind', { featureId: 1 }],
  ['a kind that is not known', { kind: 'constructor' }],
  ['a number as text', { ...GOOD, featureId: '1' }],
  ['a part that lacks', { kind: 'reorderFeature', featureId: 1 }],
  ['a number that is none', { ...GOOD, position: Number.NaN }],
  ['an act that is not known', { kind: 'job', jobId: 'job-1', act: 'delete' }],
  ['an approval without its number', { kind: 'reject', approvalId: null, jobId: 'job-1' }],
  ['an approval without its job', { kind: 'reject', approvalId: 1 }],
  ['words too long for an answer', { kind: 'approve', approvalId: 1, jobId: 'job-1', choice: 'x'.repeat(2_000_000) }],
])('a message that is %s', async (_, message) => {
  const { heard, acted, warned } = page();
  heard.fire(message);
  await untilHolds(() => expect(warned.join()).toContain('wrong shape'));
  expect(warned.join()).not.toContain('xxx');
  expect(acted).toEqual([]);
  // One that is right is still heard afterwards.
  heard.fire(GOOD);
  await untilHolds(() => expect(acted).toEqual([GOOD]));
});

it('what is not in a message is not passed on', async () => {
  const { heard, acted } = page();
  heard.fire({ ...GOOD, command: 'workbench.action.quit', __proto__: { jobId: 'x' } });
  await untilHolds(() => expect(acted).toEqual([GOOD]));
});

it('a message to a project that was not sent is given back', async () => {
  const { heard, posted, warned } = page(() => {
    throw new Error('the owner is gone');
  });
  heard.fire({ kind: 'sendMessage', project: 'api', text: 'Go on.' });
  await untilHolds(() => expect(posted).toEqual([{ kind: 'unsent', project: 'api' }]));
  expect(warned.join()).toContain('the owner is gone');
  heard.fire({ kind: 'markRead', project: 'api', upTo: 7 });
  await untilHolds(() => expect(warned).toHaveLength(2));
  expect(posted).toHaveLength(1);
});

const headOf = (message?: ToPage): string =>
  message?.kind === 'snapshot' ? new TextDecoder().decode(message.head) : '';

it('shows the agents as soon as they were looked at', async () => {
  const { heard, posted, clock, agents, looked } = page();
  const snapshots = async (count: number): Promise<void> =>
    untilHolds(() => {
      clock.advance(200);
      expect(posted).toHaveLength(count);
    });
  heard.fire({ kind: 'ready' });
  await snapshots(1);
  expect(headOf(posted[0])).not.toContain('agents');
  agents.seen = { agents: [{ probe: { name: 'cline' } }], faults: [] };
  looked.fire();
  await snapshots(2);
  expect(headOf(posted[1])).toContain('"agents":[{"name":"cline"}]');
});

it('leads again where the page was loaded anew before it went there, and no more once it did', async () => {
  const { heard, posted, clock, served } = page();
  const leads = () => posted.filter(({ kind }) => kind === 'job' || kind === 'task');
  const snapshots = () => posted.filter(({ kind }) => kind === 'snapshot').length;
  const shown = async (count: number): Promise<void> =>
    untilHolds(() => {
      clock.advance(200);
      expect(snapshots()).toBe(count);
    });
  heard.fire({ kind: 'ready' });
  await shown(1);
  served.lead({ kind: 'task', taskId: 'task-1' });
  await shown(2);
  expect(leads()).toEqual([{ kind: 'task', taskId: 'task-1' }]);
  // The tab was hidden, so the page that the message was sent to is gone.
  heard.fire({ kind: 'ready' });
  await shown(3);
  expect(leads()).toHaveLength(2);
  heard.fire({ kind: 'led' });
  heard.fire({ kind: 'ready' });
  await shown(4);
  expect(leads()).toHaveLength(2);
  served.lead({ kind: 'job', jobId: 'job-1' });
  // The board is opened right after it.
  served.lead({ kind: 'board' });
  await shown(5);
  expect(leads().at(-1)).toEqual({ kind: 'job', jobId: 'job-1' });
});

it('leads to a conversation with the first snapshot that the page gets, once', async () => {
  const { heard, posted, clock, served } = page();
  const kinds = () => posted.map(({ kind }) => kind);
  served.lead({ kind: 'talk', project: 'api' });
  heard.fire({ kind: 'look', ...NO_LOOK });
  heard.fire({ kind: 'ready' });
  await untilHolds(() => {
    clock.advance(200);
    expect(kinds()).toEqual(['snapshot', 'talk']);
  });
  heard.fire({
    kind: 'look',
    featureId: null,
    costs: false,
    conversation: 'api',
    messages: 100,
    plan: null,
    task: null,
    step: null,
  });
  await untilHolds(() => {
    clock.advance(200);
    expect(kinds()).toEqual(['snapshot', 'talk', 'snapshot']);
  });
});
