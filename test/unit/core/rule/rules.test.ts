/** Which changes are plain, which rules the record supports, and which gates a rule covers: over any record and any path. */
import { describe, expect, test } from 'vitest';
import { coveringRule, covers } from '../../../../src/core/rule/covers.ts';
import { MIN_APPROVALS, ruleOffers } from '../../../../src/core/rule/offers.ts';
import { plainWork } from '../../../../src/core/rule/plainWork.ts';
import { reduce } from '../../../../src/core/workspace/reduce.ts';
import type { ApprovalRow } from '../../../../src/shared/approval.ts';
import type { ChangedFile, GateFacts, RuleOffer, RuleRow } from '../../../../src/shared/rule/rules.ts';
import type { State } from '../../../../src/shared/workspace/state.ts';
import { approvalRow, jobRow, newApproval, projectRow, START, stateOf } from '../../../support/state/builders.ts';
import { fc } from '../../../support/suite/property.ts';

const file = (path: string, patch: Partial<ChangedFile> = {}): ChangedFile => ({
  path,
  modes: ['100644', '100644'],
  lines: 3,
  ...patch,
});
const kind = (...paths: readonly string[]) =>
  plainWork(
    paths.map((path) => file(path)),
    [],
  );

describe('a plain change', () => {
  test('is of documents or of data', () => {
    expect(kind('README.md', 'docs/a b/Guide.markdown', 'docs/notes.txt')).toBe('docs');
    expect(kind('data/prices.csv', 'x.tsv')).toBe('data');
    expect(kind('Übersicht.md')).toBe('docs');
  });

  test.each([
    'package.json',
    'package-lock.json',
    'yarn.lock',
    'src/a.js',
    'a.sh',
    'Makefile',
    'Dockerfile',
    '.github/workflows/test.yml',
    '.github/pull_request_template.md',
    '.husky/pre-commit',
    '.vscode/tasks.json',
    '.git/hooks/x.md',
    'tsconfig.json',
    'data.json',
    'page.html',
    'a.mdx',
    'logo.svg',
    'CMakeLists.txt',
    // A file system may take these for SKILL.md and prompts.
    '\u017fkill.md',
    'prompt\u017f/a.md',
    's\u3164kill.md',
    'docs/CMakeLists.txt',
    'docs/requirements.txt',
    'notes.txt',
    'AGENTS.md',
    'docs/CLAUDE.md',
    'SKILL.md',
    'skills/review/readme.md',
    'prompts/planner.md',
    'node_modules/a/readme.md',
    'vendor/readme.md',
    '.hidden/readme.md',
    '.autonomous/notes.md',
    'a.md/../b',
    'README~1.MD',
    'a.md ',
    'a.md.',
    'dir\\a.md',
    'a.md:stream',
    'a\u202egpj.md',
    'a.md\n.sh',
    '',
  ])('%j is not plain', (path) => {
    expect(kind(path)).toBeNull();
    expect(kind('README.md', path)).toBeNull();
  });

  test('has regular files alone, of one kind, and none that is flagged', () => {
    const one = file('README.md');
    for (const mode of ['100755', '120000', '160000', '040000', ''])
      for (const modes of [[mode, '100644'] as const, ['100644', mode] as const])
        expect(plainWork([one, file('a.md', { modes })], [])).toBeNull();
    expect(plainWork([file('a.md', { modes: ['000000', '100644'] })], [])).toBe('docs');
    expect(plainWork([file('a.md', { lines: null })], [])).toBeNull();
    expect(plainWork([one], ['README.md'])).toBeNull();
    expect(plainWork([], [])).toBeNull();
    expect(kind('a.md', 'b.csv')).toBeNull();
  });

  test('has no other extension, whatever the path', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 30 }), (path) => {
        const found = kind(path);
        if (found !== null) expect(path).toMatch(/\.(?:md|markdown|txt|csv|tsv)$/i);
        if (found !== null) expect(path).not.toMatch(/(?:^|\/)\.|[\\:~\p{Cc}]/u);
      }),
    );
  });
});

const facts = (patch: Partial<GateFacts> = {}): GateFacts => ({
  provider: 'anthropic',
  work: 'docs',
  files: 2,
  lines: 40,
  categories: ['docs'],
  microUsd: 90_000,
  verified: true,
  ...patch,
});

type Asked = Partial<ApprovalRow>;
const approved = (patch: Asked = {}): Asked => ({
  kind: 'phase',
  status: 'approved',
  decided_by: 'steward',
  decided_at: START,
  facts: facts(),
  ...patch,
});
const times = (count: number, patch: Asked = {}): Asked[] => Array.from({ length: count }, () => approved(patch));
const stateWith = (asked: readonly Asked[], rules: readonly RuleRow[] = []): State =>
  stateOf({
    projects: [projectRow()],
    jobs: [jobRow()],
    rules,
    approvals: asked.map((patch, at) => approvalRow({ id: at + 1, ...patch })),
  });
const offersOf = (asked: readonly Asked[]) => ruleOffers(stateWith(asked));

describe('an offer', () => {
  test('comes from approvals alone, with limits, categories and the number of approvals', () => {
    const offers = offersOf([...times(13), approved({ facts: facts({ categories: ['guide'], lines: 12 }) })]);
    expect(offers).toEqual([
      {
        id: 'default:phase:docs:anthropic',
        project_id: 'default',
        gate: 'phase',
        work: 'docs',
        provider: 'anthropic',
        categories: ['docs', 'guide'],
        max_lines: 50,
        max_micro_usd: 100_000,
        approved: 14,
        text: 'phase gate of project default: documents only, at most 50 lines and $0.10, categories: docs, guide',
      } satisfies RuleOffer,
    ]);
  });

  test.each([
    ['there are too few approvals', times(MIN_APPROVALS - 1)],
    ['a person rejected one', [...times(14), approved({ status: 'rejected' })]],
    ['a rejection was acted on', [...times(14), approved({ status: 'void' })]],
    ['--yes approved them', times(14, { decided_by: 'yes_flag' })],
    ['the demo approved them', times(14, { decided_by: 'demo' })],
    ['a rule approved them', times(14, { decided_by: 'rule', rule_id: 1 })],
    ['an older version asked', times(14, { facts: null })],
    ['files would execute', times(14, { executables: ['package.json'] })],
    ['the work is of no plain kind', times(14, { facts: facts({ work: null }) })],
    ['the verify commands did not pass', times(14, { facts: facts({ verified: false }) })],
    ['a cost is not known', times(14, { facts: facts({ microUsd: null }) })],
    ['they cost too much', times(14, { facts: facts({ microUsd: 6_000_000 }) })],
    ['they are too large', times(14, { facts: facts({ lines: 501 }) })],
    ['the gate is another one', times(14, { kind: 'plan' })],
  ] as const)('is not made if %s', (_, asked) => {
    expect(offersOf(asked)).toEqual([]);
  });

  test('has the limit below the first rejection', () => {
    const large = facts({ lines: 80 });
    const [offer] = offersOf([
      ...times(12),
      ...times(5, { facts: large }),
      approved({ facts: large, status: 'rejected' }),
    ]);
    expect(offer).toMatchObject({ max_lines: 50, approved: 12 });
    expect(offersOf([...times(12), ...times(3, { facts: large })])[0]).toMatchObject({ max_lines: 100, approved: 15 });
  });

  test('counts only what was approved after a rule for this kind was revoked', () => {
    const [offer] = offersOf(times(14));
    if (offer === undefined) throw new Error('no offer');
    const rule: RuleRow = { ...offer, id: 1, created_at: START, revoked_at: '2026-11-03T00:00:00.000Z' };
    expect(ruleOffers(stateWith(times(14), [{ ...rule, revoked_at: null }]))).toEqual([]);
    expect(ruleOffers(stateWith(times(14), [rule]))).toEqual([]);
    const later = times(MIN_APPROVALS, { decided_at: '2026-11-04T00:00:00.000Z' });
    expect(ruleOffers(stateWith([...times(14), ...later], [rule]))).toMatchObject([{ approved: MIN_APPROVALS }]);
  });
});

describe('a rule', () => {
  const [offer] = offersOf(times(14));
  if (offer === undefined) throw new Error('no offer');
  const rule: RuleRow = { ...offer, id: 1, created_at: START, revoked_at: null };
  const gate = { project_id: 'default', kind: 'phase', facts: facts(), executables: [] } as const;

  test('covers what it was earned by', () => {
    expect(covers(rule, gate)).toBe(true);
    expect(coveringRule(stateWith([], [rule]), gate)).toBe(rule);
    expect(coveringRule(stateWith([], [{ ...rule, revoked_at: START }]), gate)).toBeUndefined();
  });

  test.each([
    ['another project', { ...gate, project_id: 'other' }],
    ['another gate', { ...gate, kind: 'merge' }],
    ['a plan', { ...gate, kind: 'plan' }],
    ['an unmeasured gate', { ...gate, facts: null }],
    ['files that would execute', { ...gate, executables: ['a.md'] }],
    ['another kind of work', { ...gate, facts: facts({ work: 'data' }) }],
    ['work of no plain kind', { ...gate, facts: facts({ work: null }) }],
    ['another provider', { ...gate, facts: facts({ provider: 'simulated' }) }],
    ['too many lines', { ...gate, facts: facts({ lines: 51 }) }],
    ['a higher cost', { ...gate, facts: facts({ microUsd: 100_001 }) }],
    ['an unknown cost', { ...gate, facts: facts({ microUsd: null }) }],
    ['another category', { ...gate, facts: facts({ categories: ['docs', 'parser'] }) }],
    ['work whose verify did not pass', { ...gate, facts: facts({ verified: false }) }],
  ] as const)('does not cover %s', (_, other) => {
    expect(covers(rule, other)).toBe(false);
  });

  test('an event that uses a rule for another gate, or a revoked rule, is refused and changes nothing', () => {
    const used = (state: State, given: GateFacts) =>
      reduce(state, {
        type: 'rule_used',
        rule_id: 1,
        approval: newApproval({ id: 9, kind: 'phase', facts: given }),
        choice: null,
        seq: 1,
        epoch: 1,
        at: START,
      });
    expect(used(stateWith([], [rule]), facts())[0]).toMatchObject({
      table: 'approvals',
      put: { status: 'approved', decided_by: 'rule', rule_id: 1 },
    });
    const refused = { code: 'ILLEGAL_TRANSITION' };
    expect(() => used(stateWith([], [rule]), facts({ lines: 51 }))).toThrow(expect.objectContaining(refused));
    expect(() => used(stateWith([], [{ ...rule, revoked_at: START }]), facts())).toThrow(
      expect.objectContaining(refused),
    );
  });

  test('over any record, an offered rule covers each approved gate that it counts, and no rejected one', () => {
    const any = fc.record({
      status: fc.constantFrom('approved', 'approved', 'approved', 'approved', 'rejected'),
      kind: fc.constantFrom('phase', 'merge'),
      facts: fc.record({
        provider: fc.constantFrom('anthropic', 'simulated'),
        work: fc.constantFrom('docs', 'data', null),
        files: fc.constant(1),
        lines: fc.nat(600),
        categories: fc.constantFrom(['docs'], ['docs', 'guide']),
        microUsd: fc.option(fc.nat(6_000_000)),
        verified: fc.boolean(),
      }),
    });
    fc.assert(
      fc.property(fc.array(any, { minLength: 20, maxLength: 120 }), (answers) => {
        const asked = answers.map((patch) => approved(patch as Asked));
        const state = stateWith(asked);
        for (const one of ruleOffers(state)) {
          const covered = [...state.approvals.values()].filter((row) => covers(one, row));
          expect(covered).toHaveLength(one.approved);
          expect(covered.every(({ status }) => status === 'approved')).toBe(true);
          expect(one.approved).toBeGreaterThanOrEqual(MIN_APPROVALS);
          expect(one.max_lines).toBeLessThanOrEqual(500);
          expect(one.max_micro_usd).toBeLessThanOrEqual(5_000_000);
        }
      }),
    );
  });
});
