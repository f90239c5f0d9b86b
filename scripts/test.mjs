/** `npm test`: everything from a fresh clone. Begins nothing more when a step fails, names its failures, and counts the tests in its last line. */
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensurePackages, ensureSystem, main, root, run } from './setup.mjs';
import { count, failures } from './summary.mjs';
import { ensureBrowser, ensureVsCode } from './vscode.mjs';

const reports = mkdtempSync(join(tmpdir(), 'autonomous-test-'));
const reportOf = (project) => join(reports, `${project}.json`);
const vitest = (project, projects = project) => {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportOf(project)}`];
  return ['vitest', 'run', '--project', projects, ...reporters];
};

/** Before the terminal has its first file there is no program to build, nor one whose unused parts could be named. */
const terminal = join(root, 'src', 'terminal');
const program = existsSync(join(root, 'src', 'cli.ts')) || (existsSync(terminal) && readdirSync(terminal).length > 0);
if (!program) console.log('There is no program yet (src/cli.ts, src/terminal): unused code and build are not run.');

/** The suites in a real VS Code: there is something to load once the extension has its root. */
const extension = existsSync(join(root, 'src', 'extension.ts'));
const inEditor = (suite, ...flags) => ['node', `test/${suite}/run.ts`, `--report=${reportOf(suite)}`, ...flags];

/** cline and Claude Code come from the registry while the steps before theirs run; whoever has no use of them gets a line instead. */
let fetchingAgents;
const AGENTS_MISSING = 'the registry did not give them, see above (AUTONOMOUS_REQUIRE_AGENTS=1 makes this a failure)';
/** A run has twenty minutes; on a slow machine the suites that nothing else replaces need them all. */
const LATEST_START_MS = 12 * 60_000;
const TOO_LATE = 'this machine has no time left for it (AUTONOMOUS_REQUIRE_AGENTS=1 runs it all the same)';
const begun = Date.now();
async function agentsMissing() {
  if (process.env.AUTONOMOUS_REQUIRE_AGENTS) return null;
  if (Date.now() - begun > LATEST_START_MS) return TOO_LATE;
  return (await fetchingAgents) === 0 ? null : AGENTS_MISSING;
}

/** Title, command, and for what may be missing: a function that resolves to the reason why it is not run, or null. */
const steps = [
  ['format and lint', ['biome', 'check', '--error-on-warnings', '.']],
  ['lock file', ['node', 'scripts/lock.mjs', '--check']],
  ['types', ['tsc', '--noEmit']],
  ['types of the page', ['tsc', '--noEmit', '-p', 'webview-ui/tsconfig.json']],
  ...(program
    ? [
        ['unused code and packages', ['knip']],
        ['build', ['node', 'esbuild.mjs']],
      ]
    : []),
  ...(extension ? [['package', ['node', 'scripts/package.mjs']]] : []),
];

/** Both carry out the same demo; the twenty minutes of a run have room for one. `npx vitest run --project agents` has both. */
const realAgents = process.env.AUTONOMOUS_REQUIRE_AGENTS ? [] : ['realCline'];

/** Two rows of steps at a time, as there are two cores: what waits leaves its core to the other. What the second prints comes when its step is over. */
const sideBySide = [
  [
    ['unit tests', vitest('unit', 'unit*')],
    ['integration tests', vitest('integration')],
    ['proof against faults, short form', vitest('faults')],
    ['proof against hostile input, short form', vitest('hostile')],
  ],
  [
    ...(extension
      ? [
          ['tests in the extension host', inEditor('host')],
          ['tests of the packaged extension', inEditor('editor', `--vsix=${join(root, 'autonomous.vsix')}`)],
        ]
      : []),
    ['webview tests', vitest('webview')],
    ['tests with real agents', [...vitest('agents'), ...realAgents], agentsMissing],
  ],
];

const readReports = () =>
  ['unit', 'integration', 'faults', 'hostile', 'webview', 'host', 'editor', 'agents']
    .map(reportOf)
    .filter(existsSync)
    .map((file) => JSON.parse(readFileSync(file, 'utf8')));

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;

/** Into a file; what was printed is shown at the end. */
async function runAside(command, args) {
  const file = join(reports, `${args.join('-').replaceAll(/\W+/g, '-').slice(0, 60)}.log`);
  const output = openSync(file, 'w');
  try {
    return await run(command, args, { stdio: ['ignore', output, output] });
  } finally {
    closeSync(output);
    process.stdout.write(readFileSync(file, 'utf8'));
  }
}

/** Stops when a step failed, of this row or of another. */
async function runRow(row, done, start = run) {
  for (const [title, [command, ...args], missing] of row) {
    if (done.some(({ code }) => code > 0)) return;
    const reason = (await missing?.()) ?? null;
    if (reason !== null) {
      console.log(`\n=== ${title}: not run: ${reason}`);
      done.push({ title, reason });
      continue;
    }
    console.log(
      `\n=== ${title}: ${[command, ...args].filter((word) => !/^--(outputFile|report=)/.test(word)).join(' ')}`,
    );
    const began = Date.now();
    const code = await start(command, args);
    const took = Date.now() - began;
    console.log(`=== ${title}: ${code === 0 ? 'ok' : `FAILED (exit code ${code})`} in ${seconds(took)}`);
    done.push({ title, code, took });
  }
}

async function runAll(done) {
  // Once, before two would install it; on the core that the first steps leave.
  await Promise.all([runRow(steps, done), extension ? ensureVsCode() : null]);
  await Promise.all(sideBySide.map((row, index) => runRow(row, done, index === 0 ? run : runAside)));
  return done.find(({ code }) => code > 0)?.code ?? 0;
}

await main(async () => {
  const done = [];
  try {
    await ensurePackages();
    fetchingAgents = run('node', ['scripts/agents.mjs', '--nice'], { stdio: ['ignore', 'ignore', 'inherit'] });
    const missing = await ensureSystem();
    if (missing) throw new Error(missing);
    await ensureBrowser();
    const code = await runAll(done);
    const told = readReports();
    const { passed, failed, skipped } = count(told);
    console.log('\n=== summary');
    for (const { title, code, took, reason } of done) {
      if (reason) console.log(`not run ${title}: ${reason}`);
      else console.log(`${code === 0 ? 'ok    ' : 'FAILED'}  ${title}  (${seconds(took)})`);
    }
    const known = new Set(done.map(({ title }) => title));
    for (const [title] of [...steps, ...sideBySide.flat()]) if (!known.has(title)) console.log(`not run ${title}`);
    for (const line of failures(told)) console.log(line);
    if (skipped > 0) console.log(`${skipped} skipped`);
    console.log(`${passed} passed, ${failed} failed`);
    return code;
  } finally {
    await fetchingAgents;
    rmSync(reports, { recursive: true, force: true });
  }
});
