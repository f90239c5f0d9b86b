/**
 * `npm run demo -- --editor`: starts the extension on a new sample repository, in the VS Code of this machine or, if there is none, packed and in a
 * browser. `--browser`: always in a browser. `--no-open`: opens no window, only prints the address. `--extensions=FOLDER`: contains the installed
 * extension. Needs Node 24, which reads TypeScript, and a build.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeRepository } from '../src/app/demo/demo.ts';
import { main, node24, onPath, root, run } from './setup.mjs';
import { ensureVsCode, installExtension, startServer, windowBrowser, workbenchUrl } from './vscode.mjs';

const NEXT = `Next:
  1. Run "Autonomous: Try the Demo" (F1), or follow the walkthrough (F1, "Welcome: Open Walkthrough…", Autonomous).
  2. The plan needs your approval: read it, then press Approve in its notification.
  3. Watch the board. A worker asks one question on the way: Answer… it in a sentence.
  4. When all is built and reviewed, Review Changes shows the result and Approve merges it.
It is a simulation: no key, and the money is not real.`;

/** VS Code, and VS Code without Microsoft's parts. */
const EDITORS = process.platform === 'win32' ? ['code.cmd', 'codium.cmd'] : ['code', 'codium'];
const hasDisplay = process.platform !== 'linux' || Boolean(process.env.DISPLAY) || Boolean(process.env.WAYLAND_DISPLAY);

/** The command returns at once: the window belongs to the user and stays open. */
async function inInstalledEditor(command, project) {
  console.log(`Opening ${project} in ${command}\n\n${NEXT}\n`);
  const code = await run(command, [`--extensionDevelopmentPath=${root}`, project], { env: process.env });
  console.log(`The sample repository stays in ${project}: delete it when you are done.`);
  return code;
}

/** Opens a window of the machine's Chromium with a separate profile. Returns null if no window can be opened. */
function openWindow(url, folder) {
  const browser = windowBrowser();
  if (browser === undefined) {
    console.log('No browser here opens windows: open the address yourself.');
    return null;
  }
  const profile = join(folder, 'browser');
  mkdirSync(profile);
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const flags = [`--user-data-dir=${profile}`, '--no-first-run', '--no-default-browser-check', '--disable-sync'];
  return spawn(browser, [...flags, ...asRoot, '--new-window', url], { stdio: 'ignore' });
}

/** Resolves when a person presses Ctrl-C or closes the window. */
function over(window) {
  return new Promise((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM']) process.once(name, resolve);
    window?.once('exit', resolve);
    window?.once('error', resolve);
  });
}

/** Installs a package as a user would: VS Code loads a folder under development only in its test mode, and shows no notifications there. */
async function packAndInstall(editor, folder) {
  const packed = await run(node24, [join(root, 'scripts', 'package.mjs')]);
  if (packed !== 0) throw new Error(`npm run package ended with ${packed}: see above.`);
  const extensionsDir = join(folder, 'extensions');
  mkdirSync(extensionsDir);
  await installExtension(editor, { folder, extensionsDir, vsix: join(root, 'autonomous.vsix') });
  return extensionsDir;
}

async function inBrowser(folder, project, { open, extensions }) {
  const editor = await ensureVsCode();
  const extensionsDir = extensions ?? (await packAndInstall(editor, folder));
  const server = await startServer(editor, { folder, extensionsDir });
  const url = workbenchUrl(server.url, project);
  console.log(`VS Code with the extension is at\n  ${url}\n\n${NEXT}\n`);
  const window = open ? openWindow(url, folder) : null;
  console.log('Ctrl-C ends it.');
  try {
    await over(window);
  } finally {
    window?.kill();
    await server.stop();
    console.log(`\nEnded. The sample repository stays in ${project}, and all else that was written beside it.`);
  }
  return 0;
}

await main(async () => {
  const { values } = parseArgs({
    options: {
      editor: { type: 'boolean' },
      browser: { type: 'boolean' },
      'no-open': { type: 'boolean' },
      extensions: { type: 'string' },
    },
  });
  const folder = mkdtempSync(join(tmpdir(), 'autonomous-editor-'));
  const project = join(folder, 'sheet');
  mkdirSync(project);
  await makeRepository(project);
  const command = values.browser || values['no-open'] ? undefined : EDITORS.find((name) => onPath(name));
  if (command !== undefined) return inInstalledEditor(command, project);
  const open = values['no-open'] !== true && hasDisplay;
  if (!open && values['no-open'] !== true) console.log('There is no display here: open the address elsewhere.');
  return inBrowser(folder, project, { open, extensions: values.extensions });
});
