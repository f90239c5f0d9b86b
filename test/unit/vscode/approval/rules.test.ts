/** The list of approval rules: nothing is created or revoked without the button of a dialog. */
import { beforeEach, expect, it, vi } from 'vitest';
import { MIN_APPROVALS, ruleOffers } from '../../../../src/core/rule/offers.ts';
import type { RuleRow } from '../../../../src/shared/rule/rules.ts';
import type { State } from '../../../../src/shared/workspace/state.ts';
import type { EngineHandle } from '../../../../src/vscode/window/context.ts';
import { approvalRow, jobRow, projectRow, START, stateOf } from '../../../support/state/builders.ts';

const person = vi.hoisted(() => ({
  /** Title of the button that is pressed. */
  press: '',
  shown: [] as string[],
}));

vi.mock('vscode', () => {
  const dialog = async (text: string, options?: { detail?: string }, ...buttons: { title: string }[]) => {
    person.shown.push([text, options?.detail ?? ''].join('\n'));
    return buttons.find(({ title }) => title === person.press);
  };
  return {
    l10n: { t: (text: string, ...values: unknown[]) => text.replace('{0}', String(values[0])) },
    window: {
      showQuickPick: async (items: readonly { label: string; detail: string }[]) => {
        person.shown.push(...items.map(({ label, detail }) => `${label} ${detail}`));
        return items[0];
      },
      showInformationMessage: dialog,
      showWarningMessage: dialog,
    },
  };
});

const { showRules } = await import('../../../../src/vscode/approval/rules.ts');

const facts = {
  provider: 'anthropic',
  work: 'docs',
  files: 1,
  lines: 12,
  categories: ['docs'],
  microUsd: 20_000,
  verified: true,
} as const;

function stateWith(rules: readonly RuleRow[] = []): State {
  const asked = { kind: 'phase', status: 'approved', decided_at: START, facts } as const;
  const approvals = Array.from({ length: MIN_APPROVALS }, (_, id) =>
    approvalRow({ ...asked, id: id + 1, decided_by: 'steward' }),
  );
  const used = rules.map(({ id }) => approvalRow({ ...asked, id: 100, decided_by: 'rule', rule_id: id }));
  return stateOf({ projects: [projectRow()], jobs: [jobRow()], rules, approvals: [...approvals, ...used] });
}

async function shown(state: State, press: string): Promise<unknown[]> {
  person.press = press;
  const requests: unknown[] = [];
  const engine = { state, request: async (...request: unknown[]) => void requests.push(request) };
  await showRules(engine as unknown as EngineHandle);
  return requests;
}

beforeEach(() => {
  person.shown.length = 0;
});

it('creates an offered rule after a dialog that shows it', async () => {
  const state = stateWith();
  const [offer] = ruleOffers(state);
  expect(await shown(state, '')).toEqual([]);
  expect(await shown(state, 'Create Rule')).toEqual([['createRule', { offer: offer?.id, text: offer?.text }]]);
  expect(person.shown.at(-1)).toContain(`${offer?.text}: 10 of 10 approved. Skip it?`);
});

it('shows every use of a rule, and revokes it', async () => {
  const [offer] = ruleOffers(stateWith());
  if (offer === undefined) throw new Error('no offer');
  const rule = { ...offer, id: 3, created_at: START, revoked_at: null };
  expect(await shown(stateWith([rule]), '')).toEqual([]);
  expect(person.shown.at(-1)).toContain(`${START} · job-1: Is it right?`);
  expect(await shown(stateWith([rule]), 'Revoke Rule')).toEqual([['revokeRule', { ruleId: 3 }]]);
});

it('states how a rule is earned if there is none', async () => {
  expect(await shown(stateOf({}), '')).toEqual([]);
  expect(person.shown).toEqual([expect.stringContaining('at least ten times')]);
});
