/** The demo's work, replayed with the SDK's real file tools and verified with real node: it fails and passes where it says. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { betaEditTool, betaReadTool, betaWriteTool } from '@anthropic-ai/sdk/tools/agent-toolset/node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Call, Turn } from '../../../src/adapters/simulated/scenario.ts';
import { lineAt } from '../../../src/adapters/simulated/script.ts';
import { demoSampleFiles, loadScenario } from '../../../src/app/assets/scenarios.ts';
import type { Assignment } from '../../../src/shared/workspace/assignment.ts';

const demo = await loadScenario('demo');
const run = promisify(execFile);
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'autonomous-demo-'));
});
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));

async function newTree(name: string): Promise<string> {
  const tree = join(folder, name);
  for (const [path, text] of Object.entries(await demoSampleFiles())) {
    await mkdir(dirname(join(tree, path)), { recursive: true });
    await writeFile(join(tree, path), text);
  }
  return tree;
}

function turnsOf(assignment: Assignment): Turn[] {
  const turns: Turn[] = [];
  for (;;) {
    const line = lineAt(demo, { assignment, turn: turns.length }, '');
    if (!line.found) return turns;
    turns.push(line.turn);
  }
}

/** Does the file calls of an attempt; the SDK's tools throw when one does not fit the tree. Gives the report's outcome. */
async function work(workdir: string, feature: string, phase: string, attempt: number): Promise<string> {
  const calls = turnsOf({ role: 'worker', phase, feature, featureId: 1, attempt }).flatMap((turn) => turn.calls);
  for (const call of calls) await doCall(workdir, call);
  return String(calls.at(-1)?.input['outcome']);
}

async function doCall(workdir: string, { tool, input }: Call): Promise<void> {
  const tools = { write: betaWriteTool, read: betaReadTool } as const;
  if (tool === 'write' || tool === 'read') await tools[tool]({ workdir }).run(input);
  if (tool !== 'edit') return;
  const { file_path, edits } = input as { file_path: string; edits: { old_string: string; new_string: string }[] };
  for (const one of edits) await betaEditTool({ workdir }).run({ file_path, ...one });
}

async function succeeds(workdir: string, command: string): Promise<boolean> {
  const [, ...args] = command.split(' ');
  try {
    await run(process.execPath, args, { cwd: workdir, env: { PATH: process.env['PATH'] ?? '' } });
    return true;
  } catch {
    return false;
  }
}

async function textsOf(tree: string): Promise<Record<string, string>> {
  const files = (await readdir(tree, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).sort();
  const texts = await Promise.all(paths.map((path) => readFile(path, 'utf8')));
  return Object.fromEntries(
    paths.map((path, at) => [path.slice(tree.length + 1).replaceAll('\\', '/'), texts[at] ?? '']),
  );
}

/** Whether the review's claim is true: two cells that need each other end in a stack overflow. */
async function overflows(tree: string): Promise<boolean> {
  const script = `import('./src/sheet.js').then(({ calculate }) => calculate([['=B1', '=A1']]))`;
  return run(process.execPath, ['-e', script], { cwd: tree }).then(
    () => false,
    ({ stderr }: { stderr: string }) => stderr.includes('Maximum call stack'),
  );
}

/** One feature until it is done and verified, as the loop does it; what a failed attempt left behind is kept or dropped. */
async function build(
  tree: string,
  phase: (typeof demo.plan.phases)[number],
  feature: string,
  from: number,
  keep: boolean,
) {
  const log: string[] = [];
  for (let attempt = from; attempt < from + 3; attempt++) {
    const before = `${tree}-before`;
    await cp(tree, before, { recursive: true });
    const outcome = await work(tree, feature, phase.title, attempt);
    const verified =
      outcome === 'done' && (await Promise.all(phase.verify_commands.map((command) => succeeds(tree, command))));
    const result = verified === false ? outcome : verified.every(Boolean) ? 'passes' : 'fails';
    log.push(`${feature} ${attempt} ${result}`);
    if (result === 'fails' && !keep) {
      await rm(tree, { recursive: true });
      await cp(before, tree, { recursive: true });
    }
    await rm(before, { recursive: true });
    if (result === 'passes') break;
  }
  return log;
}

async function replay(tree: string, keep: boolean): Promise<string[]> {
  const log: string[] = [];
  for (const phase of demo.plan.phases) {
    for (const { name } of phase.features) log.push(...(await build(tree, phase, name, 1, keep)));
    for (const { verdict } of demo.phases[phase.title]?.reviews ?? []) {
      log.push(`${phase.title}: ${verdict?.verdict}`);
      if (verdict?.verdict !== 'REJECTED') break;
      expect(await overflows(tree)).toBe(true);
      for (const name of verdict.reopen) log.push(...(await build(tree, phase, name, 2, keep)));
      expect(await overflows(tree)).toBe(false);
    }
  }
  return log;
}

const STORY = [
  'Tokens 1 passes',
  'Parser 1 fails',
  'Parser 2 passes',
  'Evaluator 1 passes',
  'Formulas: APPROVED',
  'CSV files 1 passes',
  'Cell addresses 1 passes',
  'Recalculation 1 passes',
  'Sheets: REJECTED',
  'Recalculation 2 passes',
  'Sheets: APPROVED',
  'Command 1 passes',
  'Output formats 1 stuck',
  'Output formats 2 passes',
  'User guide 1 passes',
  'Command line: APPROVED',
];

describe('the demo program', () => {
  test('is built with every turn of the story, and works', async () => {
    const tree = await newTree('dropped');
    expect(await replay(tree, false)).toEqual(STORY);

    const { stdout: tests } = await run(process.execPath, ['--test', '--test-reporter=tap'], { cwd: tree });
    expect(tests).toMatch(/^# pass (3\d)$/m);
    expect(tests).toMatch(/^# fail 0$/m);
    const { stdout } = await run(process.execPath, ['bin/sheet.js', 'examples/budget.csv'], { cwd: tree });
    expect(stdout).toContain('To pay                  1155.49\n');
    const prices = await run(process.execPath, 'bin/sheet.js examples/prices.csv --format markdown'.split(' '), {
      cwd: tree,
    });
    expect(prices.stdout).toContain('| Apple | 0.3 |\n');

    const kept = await newTree('kept');
    for (const phase of demo.plan.phases) {
      for (const { name } of phase.features) {
        const attempts = demo.features[name]?.attempts.length ?? 0;
        for (let attempt = 1; attempt <= attempts; attempt++) await work(kept, name, phase.title, attempt);
      }
    }
    expect(await textsOf(kept)).toEqual(await textsOf(tree));
  });
});
