/**
 * `npm run proof`: runs the tests that take too long for `npm test`. Run it before a release; CI runs it after a change of the code that a proof covers.
 *
 *   npm run proof                              all proofs: faults, hostile, agents, node22, windows, soak
 *   npm run proof -- planted                   only the planted bugs
 *   npm run proof -- faults --write            one of them; its figures go into docs/TRUST.md
 *   npm run proof -- planted --changed=main    only what the change since a commit can affect, by imports
 *   npm run proof -- faults test/faults/kills.test.ts
 *   npm run proof -- soak --minutes=8
 *
 * PROOF_SEED chooses other random inputs, PROOF_TIMES=10 ten times as many. Its last line counts the tests: `N passed, N failed`.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { cleanEnv, ensurePackages, ensureSystem, main, root } from './setup.mjs';
import { clock } from './test/progress.mjs';
import { count, failures } from './test/summary.mjs';
import { ensureBrowser } from './vscode.mjs';

const ALL = ['faults', 'hostile', 'agents', 'node22', 'windows', 'soak'];
const NAMES = ['planted', ...ALL];
const SOAK_MINUTES = 30;
/** The variable PROOF of each, see test/support/suite/proof.ts. */
const FORMS = { planted: 'planted', faults: 'long', hostile: 'long' };

const testsIn = (folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .map((path) => `${folder}/${path.split(sep).join('/')}`)
    .filter((path) => path.endsWith('.test.ts'));

/** Integration tests that plant bugs. */
const planting = () =>
  testsIn('test/integration').filter((file) => readFileSync(join(root, file), 'utf8').includes('/planted.ts'));

/** Integration tests that run the terminal's program. */
const ofProgram = () =>
  testsIn('test/integration').filter((file) => readFileSync(join(root, file), 'utf8').includes('/terminalProcess.ts'));

/** The files that each proof starts from. */
const FILES = {
  planted: () => [...testsIn('test/faults'), ...testsIn('test/hostile'), ...planting()],
  faults: () => testsIn('test/faults'),
  hostile: () => testsIn('test/hostile'),
  agents: () => testsIn('test/integration/agent').filter((file) => file.includes('/real')),
  node22: () => ofProgram(),
  windows: () => testsIn('test/windows'),
  soak: () => ['test/soak/run.ts'],
};

function choice(words) {
  const { values, positionals } = parseArgs({
    args: words.map((word) => (word === '--changed' ? '--changed=' : word)),
    allowPositionals: true,
    options: { write: { type: 'boolean', default: false }, changed: { type: 'string' }, minutes: { type: 'string' } },
  });
  const files = positionals.filter((word) => word.startsWith('test/'));
  const named = positionals.filter((word) => !files.includes(word));
  const strange = named.find((name) => !NAMES.includes(name));
  if (strange !== undefined) throw new Error(`unknown proof ${strange}; use ${NAMES.join(', ')}`);
  if (files.length > 0 && named.length !== 1) throw new Error('name the one proof that the files belong to');
  const minutes = values.minutes === undefined ? SOAK_MINUTES : Number(values.minutes);
  if (!(minutes > 0)) throw new Error(`--minutes=${values.minutes} is not a number of minutes`);
  return { ...values, minutes, files, names: named.length > 0 ? named : ALL };
}

/** Returns the files of each proof that a change can affect. Omits a proof without such files. An empty list means all files. */
async function affectedProofs(names, ref) {
  const { affected, changedSince, defaultBase, importGraph, toFollow } = await import('./test/imports.mjs');
  const follow = toFollow(changedSince(ref === '' ? defaultBase() : ref));
  if (follow === 'everything') return new Map(names.map((name) => [name, []]));
  if (follow === 'nothing') return new Map();
  const edges = await importGraph();
  const found = names.map((name) => [name, affected(FILES[name](), follow, edges)]);
  return new Map(found.filter(([, files]) => files.length > 0));
}

async function proofs(chosen, folder) {
  const { names, files, changed, write, minutes } = chosen;
  const { longForm, vitestProof } = await import('./proof/vitestProof.mjs');
  const { soak } = await import('./proof/soak.mjs');
  const env = cleanEnv().tools;
  const seeds = Object.fromEntries(Object.entries(process.env).filter(([key]) => key.startsWith('PROOF_')));
  const each = { folder, env: { ...env, ...seeds }, write };
  const onOther = (name, project, files, programs) =>
    vitestProof({ ...each, name, projects: [project], files, env: { ...each.env, ...programs } });
  const run = {
    planted: (some) =>
      vitestProof({
        ...each,
        name: 'planted',
        projects: ['faults', 'hostile', 'integration'],
        files: some.length > 0 ? some : FILES.planted(),
        only: 'planted: ',
        env: { ...each.env, PROOF: FORMS.planted },
      }),
    faults: (some) => longForm({ ...each, name: 'faults', files: some }),
    hostile: (some) => longForm({ ...each, name: 'hostile', files: some }),
    agents: (some) => vitestProof({ ...each, name: 'agents', projects: ['agents'], files: some }),
    node22: async (some) => {
      const { oldestNode } = await import('./proof/oldestNode.mjs');
      const files = some.length > 0 ? some : FILES.node22();
      return onOther('node22', 'integration', files, { PROOF_NODE: await oldestNode(folder) });
    },
    windows: async (some) => {
      const { windowsPrograms } = await import('./proof/windows.mjs');
      return onOther('windows', 'windows', some, { PROOF_WINDOWS: await windowsPrograms() });
    },
    soak: async () => ({ code: await soak({ ...each, minutes }), report: null }),
  };
  const wanted =
    changed === undefined ? new Map(names.map((name) => [name, files])) : await affectedProofs(names, changed);
  const ended = [];
  for (const name of names) {
    const some = wanted.get(name);
    if (some === undefined) {
      console.log(`\n=== ${name}: not run: the change does not affect it`);
      continue;
    }
    console.log(`\n=== ${name}${some.length > 0 ? `: ${some.length} files` : ''}`);
    const began = Date.now();
    ended.push({ name, ...(await run[name](some)), seconds: (Date.now() - began) / 1000 });
  }
  return ended;
}

await main(async () => {
  const chosen = choice(process.argv.slice(2));
  await ensurePackages();
  const missing = await ensureSystem();
  if (missing) throw new Error(missing);
  if (chosen.names.some((name) => name === 'hostile' || name === 'planted')) await ensureBrowser();
  const folder = mkdtempSync(join(tmpdir(), 'autonomous-proof-'));
  try {
    const ended = await proofs(chosen, folder);
    const reported = ended.filter(({ report }) => report !== null);
    const { passed, failed } = count(reported.map(({ report }) => report));
    console.log('\n=== summary');
    for (const { name, code, seconds } of ended)
      console.log(`${code === 0 ? 'passed' : 'FAILED'}  ${name}  ${clock(seconds)}`);
    for (const { name, report } of reported)
      for (const line of failures([report], { ...process.env, PROOF: FORMS[name] })) console.log(line);
    console.log(`${passed} passed, ${failed} failed`);
    return ended.every(({ code }) => code === 0) ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
