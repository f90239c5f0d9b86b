/** What keeps each system awake: a program that ends with its standard input. */
import { powershellArgs, powershellFile } from './powershell.ts';
import type { Environment, Platform, Start } from './system.ts';

export interface KeepAwake {
  /** Named if it is not available. */
  program(env: Environment): string;
  /**
   * Starts what keeps the machine awake until its standard input ends; null if it is not available. `find`: the absolute path of a
   * program of the PATH, or null. `exists`: whether there is a file or folder.
   */
  start(env: Environment, find: (name: string) => string | null, exists: (path: string) => boolean): Start | null;
}

export const KEEP_AWAKE: Readonly<Record<Platform['name'], KeepAwake>> = {
  linux: { program: (env) => (isWsl(env) ? WINDOWS_POWERSHELL : 'systemd-inhibit'), start: onLinux },
  macos: {
    program: () => 'caffeinate',
    start: (_, find) => {
      const file = find('/usr/bin/caffeinate');
      return file === null ? null : { file, args: ['-i', '/bin/cat'], isVerbatim: false };
    },
  },
  windows: {
    program: () => 'powershell.exe',
    start: (env, find) => awakeByPowershell(find(powershellFile(env))),
  },
};

const WINDOWS_POWERSHELL = '/mnt/c/Windows/System32/WindowsPowerShell/v1.0/powershell.exe';
const isWsl = (env: Environment): boolean => env['WSL_DISTRO_NAME'] !== undefined;

const WHY = 'Work is running';

function onLinux(
  env: Environment,
  find: (name: string) => string | null,
  exists: (path: string) => boolean,
): Start | null {
  // The machine that sleeps is the one of Windows.
  if (isWsl(env)) return awakeByPowershell(find(WINDOWS_POWERSHELL));
  const cat = find('cat');
  if (cat === null) return null;
  const desktop = env['XDG_CURRENT_DESKTOP'] ?? '';
  // GNOME ignores the locks of systemd.
  const gnome = desktop.split(':').includes('GNOME') ? find('gnome-session-inhibit') : null;
  if (gnome !== null) {
    const args = ['--app-id', 'Autonomous', '--reason', WHY, '--inhibit', 'suspend', cat];
    return { file: gnome, args, isVerbatim: false };
  }
  // A container may have the program without what it talks to.
  const file = exists('/run/systemd/system') ? find('systemd-inhibit') : null;
  if (file === null) return null;
  // A desktop suspends the machine itself, and `idle` would keep its screen on. Without one, `sleep` needs a password.
  const what = desktop === '' ? 'idle' : 'sleep';
  return { file, args: [`--what=${what}`, '--who=Autonomous', `--why=${WHY}`, '--mode=block', cat], isVerbatim: false };
}

/** Without a double quote, which each system passes to a program in another way. 2147483649: ES_CONTINUOUS and ES_SYSTEM_REQUIRED. */
const AWAKE = [
  "$ErrorActionPreference = 'Stop'",
  "$code = '[DllImport({0}kernel32.dll{0})] public static extern uint SetThreadExecutionState(uint flags);' -f [char]34",
  '$power = Add-Type -Namespace Autonomous -Name Power -MemberDefinition $code -PassThru',
  "if ($power::SetThreadExecutionState([uint32]2147483649) -eq 0) { throw 'Windows refused it' }",
  '[void][Console]::In.ReadToEnd()',
].join('; ');

/** Windows is kept awake until the standard input ends. */
const awakeByPowershell = (file: string | null): Start | null =>
  file === null ? null : { file, args: powershellArgs(AWAKE), isVerbatim: false };
