/**
 * What a chain of ten small features costs, in units of one input token of the model of each call, by the bill of a server with a cache
 * that expires. Each is one file, written by one call, and a report. Run by itself with `--requests=FOLDER`, it keeps each request there,
 * and with `--chain=NAME` it runs one of the chains.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SimulatedModel } from '../src/adapters/simulated/model.ts';
import { checkScenario, type Scenario } from '../src/adapters/simulated/scenario.ts';
import type { Owner } from '../src/app/owner/assemble.ts';
import { PRICES } from '../src/core/money/price/prices.ts';
import type { SpendRow } from '../src/shared/money.ts';
import { startMessagesServer } from '../test/support/provider/messagesServer.ts';
import { round, show } from './table.ts';
import { benchWorld, jobEnd, openOwner } from './world.ts';

const FEATURES = 10;
/**
 * Lines of each file. With these, a job cost 1,266 units per feature by its workers when the target of 1,000 was set, and 2,184 by
 * workers and reviewers with a review of each, for which it is 1,600.
 */
const LINES = 7;

interface Chain {
  readonly name: string;
  /** Features of a phase. */
  readonly perPhase: number;
  readonly reviewEachFeature: boolean;
  readonly commands: boolean;
  /** Units per feature of the workers, and of the reviewers if each feature is reviewed. */
  readonly most?: number;
}

const CHAINS: readonly Chain[] = [
  { name: 'one phase', perPhase: 10, reviewEachFeature: false, commands: false, most: 1_000 },
  { name: 'one phase, a command each', perPhase: 10, reviewEachFeature: false, commands: true },
  { name: 'one phase, a review each', perPhase: 10, reviewEachFeature: true, commands: false, most: 1_600 },
  { name: 'a phase each', perPhase: 1, reviewEachFeature: false, commands: false },
];

function scenarioOf({ perPhase, commands }: Chain): Scenario {
  const write = {
    tool: 'write',
    input: { file_path: 'src/{{slug}}.txt', content: 'It is {{feature}}.\n'.repeat(LINES) },
  };
  const command = { tool: 'bash', input: { command: 'true' } };
  const report = { tool: 'report', input: { outcome: 'done', summary: 'Wrote the file.', question: '' } };
  const turns = [
    { text: 'I write.', calls: [write] },
    ...(commands ? [{ text: '', calls: [command] }] : []),
    { text: '', calls: [report] },
  ];
  const approved = { verdict: { verdict: 'APPROVED', reason: 'It is there.' } } as const;
  return checkScenario(
    {
      version: 1,
      title: 'Chain',
      plan: {
        title: 'Chain',
        phases: Array.from({ length: FEATURES / perPhase }, (_, phase) => ({
          title: `Phase ${phase}`,
          objective: 'Write files.',
          acceptance_criteria: ['The files are there.'],
          verify_commands: ['true'],
          features: Array.from({ length: perPhase }, (__, at) => ({
            name: `Feature ${phase}-${at}`,
            description: 'Write a file.',
            category: 'bench',
          })),
        })),
      },
      otherwise: {
        feature: { attempts: [{ turns }], reviews: [approved] },
        phase: { reviews: [approved], summaries: ['Wrote files.'] },
      },
    },
    'chain',
  );
}

async function carryOut(owner: Owner, reviewEachFeature: boolean): Promise<readonly SpendRow[]> {
  const over = jobEnd(owner);
  await owner.request('submitBrief', {
    brief: 'Write ten files.',
    gates: [],
    mergeMode: 'patch',
    setup: [],
    allowedCommands: [['true']],
    reviewEachFeature,
  });
  await over;
  return [...owner.state.spends.values()].filter(({ status }) => status === 'settled');
}

const only = process.argv.find((word) => word.startsWith('--chain='))?.slice('--chain='.length);
const kept = process.argv.find((word) => word.startsWith('--requests='))?.slice('--requests='.length);

async function spent(chain: Chain): Promise<readonly SpendRow[]> {
  const scenario = scenarioOf(chain);
  const model = new SimulatedModel(scenario);
  const server = await startMessagesServer({ scenario, model, thinking: null });
  const world = benchWorld({ 'README.md': 'Chain\n' }, ['git', 'true']);
  try {
    const owner = await openOwner(world, { key: () => server.apiKey, baseUrl: server.url });
    const rows = await carryOut(owner, chain.reviewEachFeature);
    await owner.close();
    if (kept !== undefined) {
      const folder = join(kept, chain.name.replaceAll(/\W+/g, '-'));
      mkdirSync(folder, { recursive: true });
      for (const { index, body } of server.requests)
        writeFileSync(join(folder, `${String(index).padStart(3, '0')}.json`), body);
      writeFileSync(join(folder, 'bill.json'), JSON.stringify(server.bill, null, 1));
      writeFileSync(join(folder, 'spends.json'), JSON.stringify(rows, null, 1));
    }
    return rows;
  } finally {
    await server.close();
    rmSync(world.folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

const unitsOf = (row: SpendRow): number => row.settled_micro_usd / (PRICES.models[row.model]?.[0]?.input ?? Number.NaN);

const rows: (readonly (string | number)[])[] = [];
for (const chain of CHAINS.filter(({ name }) => only === undefined || name === only)) {
  const spends = await spent(chain);
  const perFeature = (of: readonly SpendRow[]): number =>
    round(of.reduce((sum, row) => sum + unitsOf(row), 0) / FEATURES, 0);
  const role = (name: SpendRow['role']): number => perFeature(spends.filter((row) => row.role === name));
  const all = perFeature(spends);
  const { most } = chain;
  const counted = role('worker') + (chain.reviewEachFeature ? role('reviewer') : 0);
  rows.push([
    chain.name,
    spends.length,
    role('planner'),
    role('worker'),
    role('reviewer'),
    role('summarizer'),
    all,
    counted,
    most === undefined ? '' : `<= ${most}`,
    most === undefined ? '' : counted <= most ? 'met' : 'MISSED',
  ]);
}
show(
  `${FEATURES} small features, units per feature`,
  ['chain', 'calls', 'planner', 'worker', 'reviewer', 'summarizer', 'all', 'counted', 'target', ''],
  rows,
);
