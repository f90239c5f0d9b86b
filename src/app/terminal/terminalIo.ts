/** Reads and writes the streams of this process for the terminal: output, questions, typed lines and an editor. */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clearScreenDown, cursorTo, moveCursor } from 'node:readline';
import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { namedFile } from '../../adapters/files/namedFile.ts';
import { rm } from '../../adapters/platform/heldFiles.ts';
import { ownEnvironment, platform } from '../../adapters/platform/platform.ts';
import type { LineDialog, TerminalIo } from '../../terminal/screen/world.ts';

const { stdin, stdout, stderr } = process;
const env = ownEnvironment();

export function terminalIo(): TerminalIo {
  const isTTY = stdout.isTTY === true && env['TERM'] !== 'dumb';
  return {
    out: (data) => void stdout.write(data),
    err: (data) => void stderr.write(data),
    isTTY,
    stdinIsTTY: stdin.isTTY === true,
    get columns() {
      // A terminal of unknown size reports 0.
      return stdout.columns || 80;
    },
    get rows() {
      return stdout.rows || 24;
    },
    color: isTTY && (env['NO_COLOR'] ?? '') === '',
    ask,
    talk,
    readStdin: () => text(stdin),
    readFile: namedFile,
    writeFile: (path, data) => writeFile(path, data),
    edit,
  };
}

async function ask(question: string, signal: AbortSignal): Promise<string | null> {
  const lines = createInterface({ input: stdin, output: stdout });
  try {
    // Readline captures Ctrl-C: pass it to the run.
    lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
    const ended = new Promise<null>((resolve) => lines.once('close', () => resolve(null)));
    return await Promise.race([lines.question(question, { signal }), ended]);
  } finally {
    lines.close();
  }
}

/** Other output replaces the typed line, which is redrawn below. */
function talk(prompt: string, interrupted: () => boolean): LineDialog {
  const lines = createInterface({ input: stdin, output: stdout, prompt });
  lines.on('SIGINT', () => {
    if (!interrupted()) process.kill(process.pid, 'SIGINT');
  });
  const arrived: string[] = [];
  let wanted: ((line: string | null) => void) | null = null;
  let ended = false;
  const give = (line: string | null): void => {
    const to = wanted;
    wanted = null;
    if (to !== null) to(line);
    else if (line !== null) arrived.push(line);
  };
  lines.on('line', give);
  lines.on('close', () => {
    ended = true;
    give(null);
  });
  return {
    next: () => {
      const line = arrived.shift();
      if (line !== undefined) return Promise.resolve(line);
      if (ended) return Promise.resolve(null);
      lines.prompt();
      return new Promise((resolve) => {
        wanted = resolve;
      });
    },
    say: (content) => {
      if (ended) return;
      moveCursor(stdout, 0, -lines.getCursorPos().rows);
      cursorTo(stdout, 0);
      clearScreenDown(stdout);
      stdout.write(`${content}\n`);
      // Readline moves up by the rows that it drew last, but these were cleared.
      Object.assign(lines, { prevRows: 0 });
      lines.prompt(true);
    },
    close: () => lines.close(),
  };
}

/** Edits a temporary file in the editor that the user's environment names, as git does. */
async function edit(content: string, name: string): Promise<string | null> {
  const editor = env['VISUAL'] ?? env['EDITOR'];
  if (editor === undefined || editor === '' || stdin.isTTY !== true) return null;
  const folder = await mkdtemp(join(tmpdir(), 'autonomous-edit-'));
  const file = join(folder, name);
  try {
    await writeFile(file, content);
    const start = platform.editor(editor, file, env);
    const child = spawn(start.file, start.args, { stdio: 'inherit', windowsVerbatimArguments: start.isVerbatim });
    const code = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('exit', resolve));
    return code === 0 ? await readFile(file, 'utf8') : null;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
