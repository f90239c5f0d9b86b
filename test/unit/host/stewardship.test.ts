/** What a notification offers: a question about the API key leads to where the key is set, then asks again. */
import { beforeEach, expect, it, vi } from 'vitest';
import type { HostContext } from '../../../src/host/context.ts';
import type { ApprovalRow } from '../../../src/shared/domain.ts';
import { approvalRow, jobRow, stateOf } from '../../support/builders.ts';

const person = vi.hoisted(() => ({
  /** Buttons that are pressed, in order; then everything is dismissed. */
  presses: [] as string[],
  offered: [] as (readonly string[])[],
  ran: [] as string[],
}));

vi.mock('vscode', () => ({
  l10n: { t: (text: string) => text },
  Disposable: { from: () => ({}) },
  Uri: class {},
  workspace: { getConfiguration: () => ({ get: (_: string, otherwise: unknown) => otherwise }) },
  commands: {
    executeCommand: async (id: string) => void person.ran.push(id),
    registerCommand: () => ({}),
  },
  window: {
    showInformationMessage: async (text: string, ...buttons: string[]) => {
      person.offered.push([text, ...buttons]);
      const pressed = person.presses.shift();
      return buttons.find((button) => button === pressed);
    },
  },
}));

const { registerStewardship } = await import('../../../src/host/stewardship/stewardship.ts');

function tellOf(row: Partial<ApprovalRow>): void {
  const state = stateOf({ jobs: [jobRow({ title: 'Notes' })], approvals: [approvalRow({ commit: null, ...row })] });
  const engine = { state, hindrance: null, onDidChange: () => ({}) };
  registerStewardship({ engine, log: {} } as unknown as HostContext);
}

beforeEach(() => {
  person.presses = [];
  person.offered = [];
  person.ran = [];
});

it('offers to set the key where one is missing or refused, and asks again then', async () => {
  person.presses = ['Set API Key'];
  const question = 'The model cannot be used: there is no API key. Try again?';
  tellOf({ kind: 'provider', subject: 'provider:KEY_MISSING:1', question });
  await vi.waitFor(() => expect(person.offered).toHaveLength(2));
  expect(person.ran).toEqual(['autonomous.setApiKey']);
  for (const offered of person.offered) {
    expect(offered).toEqual([`Notes: ${question}`, 'Set API Key', 'Approve', 'Reject…']);
  }
});

it('offers no key where the provider ails otherwise', async () => {
  tellOf({ kind: 'provider', subject: 'provider:NO_CREDIT:1', question: 'No credit. Try again?' });
  await vi.waitFor(() => expect(person.offered).toEqual([['Notes: No credit. Try again?', 'Approve', 'Reject…']]));
});
