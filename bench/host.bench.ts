/**
 * The extension in the extension host of a real VS Code: what activation costs, how long its work blocks the event loop while the
 * demo runs to its merge with the board open, and how often it wakes when nothing is to be done.
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { copyAssets, nodeBundle, ROOTS, webviewBundle } from '../esbuild.mjs';
import { root } from '../scripts/setup.mjs';
import { ensureVsCode, openBrowser, startServer, workbenchUrl } from '../scripts/vscode.mjs';
import { makeRepository } from '../src/app/demo/demo.ts';
import type { Measured } from './host/shared.ts';
import { type Cell, round, show } from './table.ts';

const ACTIVATION_MS = 40;
const BLOCK_MS = 50;
const WAKE_UPS = 1;
const PATIENCE_MS = 240_000;

/** In VS Code's own module format, with what it must not bundle left out. */
function script(name: string, outfile: string, format: 'esm' | 'cjs'): BuildOptions {
  return {
    entryPoints: [join(root, 'bench', 'host', `${name}.ts`)],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node22',
    format,
    external: ['vscode'],
    logLevel: 'warning',
  };
}

/** The extension built as for a release but for the names of functions, into a folder whose name its frames are known by. */
async function measuredExtension(folder: string): Promise<string> {
  const extension = join(folder, 'measured');
  const dist = join(extension, 'dist');
  mkdirSync(dist, { recursive: true });
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  writeFileSync(join(extension, 'package.json'), JSON.stringify({ ...manifest, main: './dist/bench.js' }));
  for (const part of ['media', 'l10n']) cpSync(join(root, part), join(extension, part), { recursive: true });
  await copyAssets(dist);
  await build({ ...nodeBundle(ROOTS, dist, true), minifyIdentifiers: false });
  await build(webviewBundle(join(dist, 'webview'), true));
  await build(script('extension', join(dist, 'bench.js'), 'esm'));
  return extension;
}

/** Opens the window and waits until the probe is done in it. */
async function open(url: string, editor: Awaited<ReturnType<typeof ensureVsCode>>): Promise<number> {
  const browser = await openBrowser(editor);
  try {
    const page = await browser.newPage({ viewport: { width: 1600, height: 900 } });
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    await page.exposeFunction('codeAutomationLog', (type: string, args: readonly unknown[]) => {
      if (type === 'error') console.error(args.map(String).join(' '));
    });
    await page.exposeFunction('codeAutomationExit', resolve);
    const patience = setTimeout(() => reject(new Error('the probe did not end in time')), PATIENCE_MS);
    await page.goto(url);
    return await promise.finally(() => clearTimeout(patience));
  } finally {
    await browser.close();
  }
}

async function measure(folder: string): Promise<Measured> {
  const editor = await ensureVsCode();
  const report = join(folder, 'figures.json');
  const probe = join(folder, 'probe.js');
  await build(script('probe', probe, 'cjs'));
  const payload = { extensionDevelopmentPath: await measuredExtension(folder), extensionTestsPath: probe };
  const workspace = join(folder, 'sheet');
  await makeRepository(workspace);
  const machine = join(folder, 'user', 'Machine');
  mkdirSync(machine, { recursive: true });
  const settings = { 'autonomous.provider': 'simulated', 'autonomous.simulated.delayMs': 60 };
  writeFileSync(join(machine, 'settings.json'), JSON.stringify(settings));
  const server = await startServer(editor, { folder, env: { HOST_BENCH_REPORT: report } });
  try {
    const code = await open(workbenchUrl(server.url, workspace, payload), editor);
    if (code !== 0) throw new Error(`the probe ended with ${code}`);
    return JSON.parse(readFileSync(report, 'utf8')) as Measured;
  } finally {
    await server.stop();
  }
}

/** `control`: the same while nothing was done. Where that misses the target as well, the machine is too busy to say. */
function row(what: string, figure: number, target?: number, control = 0): readonly Cell[] {
  if (target === undefined) return [what, round(figure), '', ''];
  const verdict = figure <= target ? 'met' : control > target ? 'machine too busy' : 'MISSED';
  return [what, round(figure), `<= ${target}`, verdict];
}

const folder = mkdtempSync(join(tmpdir(), 'ab-'));
try {
  const { activation, quiet, demo, idle } = await measure(folder);
  show(
    'In the extension host of VS Code',
    ['what', 'figure', 'target', ''],
    [
      row('activate(), its own synchronous time, ms', activation.activateMs, ACTIVATION_MS),
      row('  modules of the entry read and evaluated, ms', activation.loadMs),
      row('  of both, on the processor in our code, ms', activation.profile.oursMs),
      row(`the demo (${demo.status}), s`, demo.seconds),
      row('  longest block of the event loop by us, ms', demo.profile.longestMs, BLOCK_MS, quiet.longestMs),
      row('  longest block by anybody, ms', demo.longestMs),
      row('  longest block of a quiet window, for comparison, ms', quiet.longestMs),
      row('  time in our code, %', demo.profile.oursMs / 10 / demo.seconds),
      row('wake-ups a second when idle', idle.wakeUpsPerSecond, WAKE_UPS),
    ],
  );
  console.log(`longest block by us in: ${demo.profile.where}`);
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
