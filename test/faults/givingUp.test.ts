/**
 * Giving up intelligently: what no further try would change is a question with its reason, while everything else goes on. On a
 * real owner, thread, git and commands; judged by the event log and by what a terminal and the page show of it.
 */
import { expect, test } from 'vitest';
import { details } from '../../src/core/job/view/details.ts';
import { ledgerWithUses } from '../../src/core/money/view/sessionUses.ts';
import { approves, attempt, rejects, report, scenarioOf, write, writes } from '../support/demo/briefs.ts';
import { planted } from '../support/suite/planted.ts';
import { buildWith } from '../support/suite/plantedBug.ts';
import { figure } from '../support/suite/proof.ts';
import { EngineWorld } from '../support/world/engineWorld.ts';

/** Fails by what a feature wrote, and says how long it took, which differs each time. */
const CHECK = `took="$$ ms"
if [ -f same.txt ]; then read -r word < same.txt; if [ "$word" != fixed ]; then echo "same.txt is wrong (after $took)"; exit 3; fi; fi
if [ -f needs.txt ] && [ ! -f more.txt ]; then echo "Error: DEPLOY_TOKEN is not set ($took)"; exit 1; fi
`;
const SILENT = { turns: [{ text: 'I think it is fine.' }, { text: 'Really.' }] };
const tries = (...words: readonly string[]) => words.map((word) => writes('same.txt', `${word}\n`));

const FEATURES = [
  { name: 'Error', attempts: tries('one', 'two', 'fixed') },
  {
    name: 'Verdict',
    attempts: [writes('v.txt', 'one\n'), writes('v.txt', 'two\n'), writes('v.txt', 'three\n')],
    reviews: [rejects('Say three.'), rejects('Say three.'), approves],
  },
  { name: 'Empty', attempts: [SILENT, SILENT, writes('empty.txt')] },
  { name: 'Key', attempts: [attempt(write('k.txt', 'k\n'), report('stuck', 'I need an API key.')), writes('k.txt')] },
  { name: 'After', after: ['Error'] },
  // Its phase is rejected, so that it is done again.
  { name: 'Free', attempts: ['one', 'two', 'three'].map((word) => writes('Free.txt', `${word}\n`)) },
  // The last one: it is gone on from while nothing else was merged.
  { name: 'Outside', attempts: [writes('needs.txt'), writes('more.txt')] },
];

const ENDS: Readonly<Record<string, readonly [status: string, cause: string, retries: number, words: string]>> = {
  Error: ['failed', 'same_error', 2, '"Error" failed twice with the same error. Try it once more?'],
  Verdict: ['failed', 'same_verdict', 2, '"Verdict" was rejected twice for the same reason. Try it once more?'],
  Empty: ['failed', 'empty_diff', 2, '"Empty" was tried twice without a change to any file. Try it once more?'],
  Outside: [
    'blocked',
    'credential_missing',
    0,
    '"Outside" cannot be checked: `sh check.sh` needs a credential that is missing. Try again?',
  ],
  Key: ['stuck', 'credential_missing', 0, 'I need an API key.'],
};

const EVIDENCE: Readonly<Record<string, string>> = {
  Error: 'same.txt is wrong',
  Verdict: 'Say three.',
  Outside: 'DEPLOY_TOKEN is not set',
};

async function open(features = FEATURES, workerScript?: URL): Promise<EngineWorld> {
  const reviews = [rejects('The whole is wrong.', ['Free']), rejects('The whole is wrong.', ['Free'])];
  const scenario = scenarioOf([{ verify: ['sh check.sh'], features, reviews }]);
  const owner = workerScript === undefined ? {} : { owner: { workerScript } };
  return EngineWorld.open({ scenario, files: { 'check.sh': CHECK }, ...owner });
}

const pending = (world: EngineWorld) => [...world.state.approvals.values()].filter((row) => row.status === 'pending');

/** Tries that ended as the one before them, in the same words, and asked nothing: what this proof forbids. */
function triedForNothing(world: EngineWorld, name: string): number {
  const steady = (text: string | null) => (text ?? '').replaceAll(/\d+/g, '#');
  const asked = world.happened('attempt_ended').filter((event) => event.approval !== null);
  const failed = world.attempts(name).filter(({ status }) => status === 'failed');
  return failed.filter((row, nth) => {
    const before = failed[nth - 1];
    return (
      before !== undefined && steady(before.feedback) === steady(row.feedback) && asked.every(({ id }) => id !== row.id)
    );
  }).length;
}

test('what no further try would change is asked about, each with its reason; the rest goes on, and no retry is used for what is missing outside', async () => {
  await using world = await open();
  await world.submit({ reviewEachFeature: true });
  await world.until('all that can be done is done', () => world.job.status === 'awaiting_steward');
  const asked = pending(world);
  expect(world.feature('Free').status).toBe('completed');
  expect(world.feature('After').status).toBe('pending');
  for (const [name, [status, cause, retries, words]] of Object.entries(ENDS)) {
    const { id } = world.feature(name);
    const question = asked.find((row) => row.feature_id === id);
    expect([name, world.attempts(name).at(-1)?.status, world.attempts(name).at(-1)?.cause]).toEqual([
      name,
      status,
      cause,
    ]);
    expect([name, world.feature(name).retry_count]).toEqual([name, retries]);
    expect(question).toMatchObject({ kind: 'stuck', question: words });
    expect(question?.detail).toContain(EVIDENCE[name] ?? '');
    // The page shows the same word.
    expect(details(world.state, ledgerWithUses(world.state.spends.values()), id)?.attempts.at(-1)?.cause).toBe(cause);
    expect([name, triedForNothing(world, name)]).toEqual([name, 0]);
  }
  expect(asked).toHaveLength(Object.keys(ENDS).length);
  const outside = world.feature('Outside').id;
  for (const question of asked.toSorted((one) => (one.feature_id === outside ? -1 : 1))) {
    const feedback = 'Now it is there.';
    await world.owner.request('decide', { approvalId: question.id, decision: 'approved', choice: null, feedback });
    if (question.feature_id === outside)
      await world.until('it is done', () => world.feature('Outside').status === 'completed');
  }

  // The review rejects in the same words twice: a person ends the round.
  const rejected = await world.asked('escalate');
  expect(rejected.question).toBe(
    'The reviewer rejected phase 1 "Phase 1" twice for the same reason. Approve it anyway?',
  );
  expect(rejected.detail).toContain('The whole is wrong.');
  expect(world.happened('phase_rejected')).toHaveLength(1);
  await world.approve('escalate');
  await world.is('completed');
  // What could not be checked was gone on from, not done again.
  expect(world.git('ls-tree', '--name-only', 'main').split('\n')).toEqual(
    expect.arrayContaining(['needs.txt', 'more.txt']),
  );
  const usedOutside = world.feature('Outside').retry_count + world.feature('Key').retry_count;
  expect(usedOutside).toBe(0);
  figure({
    method: 'giving up',
    what: 'repeated attempts of what failed before, without asking',
    value: FEATURES.reduce((sum, { name }) => sum + triedForNothing(world, name), 0),
    unit: '',
    aim: { atMost: 0 },
  });
  figure({
    method: 'giving up',
    what: 'retries used for what was missing outside',
    value: usedOutside,
    unit: '',
    aim: { atMost: 0 },
  });
});

planted('the same failure is tried on and on', async () => {
  const bug = {
    file: 'src/engine/job/work/stopRules.ts',
    find: 'if (cause === null) return ended;',
    put: 'return ended;',
  };
  using built = await buildWith(bug, ['src/worker.ts']);
  await using world = await open(
    FEATURES.filter(({ name }) => name === 'Empty'),
    built.program('worker'),
  );
  await world.submit();
  const over = () => world.happened('attempt_started').length > 0 && world.feature('Empty').status === 'completed';
  await world.until('it was tried on and on', over);
  expect(triedForNothing(world, 'Empty')).toBe(1);
});
