import { beforeEach, expect, it, vi } from 'vitest';
import { KEYS } from '../../../../src/vscode/contributions.ts';
import type { HostContext } from '../../../../src/vscode/window/context.ts';
import { WALKTHROUGH } from '../../../../src/vscode/workspace/walkthrough.ts';
import { approvalRow, jobOptions, jobRow, stateOf } from '../../../support/state/builders.ts';

const keys = vi.hoisted(() => [] as string[]);

vi.mock('vscode', () => ({ commands: { executeCommand: async (_: string, key: string) => void keys.push(key) } }));

const { tickWalkthrough } = await import('../../../../src/vscode/workspace/walkthroughTicks.ts');

function ticked(state: ReturnType<typeof stateOf>): readonly string[] {
  tickWalkthrough({ engine: { state, onDidChange: () => ({}) } } as unknown as HostContext);
  return keys;
}

beforeEach(() => {
  keys.length = 0;
});

it('ticks what was done, by whatever way', () => {
  const approvals = [approvalRow({ kind: 'merge', status: 'approved' })];
  expect(ticked(stateOf({ jobs: [jobRow()], approvals }))).toEqual([
    'autonomous.hasTried',
    'autonomous.hasApproved',
    'autonomous.hasMerged',
  ]);
});

it('ticks the demo when its job is filed, not when its dialog was dismissed or a real job was filed', () => {
  expect(ticked(stateOf({}))).toEqual([]);
  expect(ticked(stateOf({ jobs: [jobRow({ options: jobOptions({ provider: 'anthropic' }) })] }))).toEqual([]);
  const [demo] = WALKTHROUGH.steps;
  expect(demo.completionEvents).toEqual(['onContext:autonomous.hasTried']);
});

it('ticks the board when it is looked at with a job in it', () => {
  const board = WALKTHROUGH.steps.find(({ id }) => id.endsWith('board'));
  expect(board?.completionEvents).toEqual(['onContext:autonomous.hasJob && activeWebviewPanelId == autonomous.board']);
});

it('shows no key beside a button, because our keys work only in our own views', () => {
  const texts = WALKTHROUGH.steps.map(({ description }) => description).join('\n');
  const withoutArguments = [...texts.matchAll(/\(command:([\w.]+)\)/g)].map(([, command]) => command);
  expect(withoutArguments).toContain('autonomous.tryDemo');
  expect(withoutArguments.filter((command) => KEYS.some((key) => key.command === command))).toEqual([]);
});
