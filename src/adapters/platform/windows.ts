/** Windows. */
import { win32 } from 'node:path';
import { failure } from '../../shared/errors.ts';
import type { Environment, Platform, Shell, Start } from './system.ts';

/** What Windows starts without another program: other endings of PATHEXT belong to script hosts. */
const PROGRAMS = ['.COM', '.EXE', '.BAT', '.CMD'];

/** Only `cmd.exe` starts these. */
const SCRIPT = /\.(?:bat|cmd)$/i;

const MACHINE_GUID = ['query', 'HKLM\\SOFTWARE\\Microsoft\\Cryptography', '/v', 'MachineGuid', '/reg:64'];
const GUID_OF_MACHINE = /MachineGuid\s+REG_SZ\s+([0-9a-f-]{36})/i;

export const WINDOWS: Platform = {
  name: 'windows',
  environment: inUpperCase,
  programNames,
  start: (file, args, env) => (SCRIPT.test(file) ? throughCmd(file, args, env) : { file, args, isVerbatim: false }),
  shell,
  editor: (editor, file, env) => ({
    file: systemProgram(env, 'cmd.exe'),
    args: ['/d', '/s', '/c', `"${editor} "${file}""`],
    isVerbatim: true,
  }),
  // Without the first of them no program starts.
  inherited:
    /^(SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|PATH|PATHEXT|OS|NUMBER_OF_PROCESSORS|PROCESSOR_\w+|(COMMON)?PROGRAM(FILES|DATA|W6432).*|LANG|LC_[A-Z]+|TZ)$/,
  defaultPath: 'C:\\Windows\\System32',
  homeVariables: (home, tmp) => ({
    HOME: home,
    USERPROFILE: home,
    APPDATA: win32.join(home, 'AppData', 'Roaming'),
    LOCALAPPDATA: win32.join(home, 'AppData', 'Local'),
    TEMP: tmp,
    TMP: tmp,
    TMPDIR: tmp,
  }),
  hasModes: false,
  // The names are durable once the files are.
  syncsFolders: false,
  gitCore: { filemode: 'false', symlinks: 'false', ignorecase: 'true', longpaths: 'true' },
  pipe: (name) => `\\\\.\\pipe\\${name}`,
  runtimeFolder: ({ LOCALAPPDATA = '' }, { home }) => {
    const local = win32.isAbsolute(LOCALAPPDATA) ? LOCALAPPDATA : win32.join(home, 'AppData', 'Local');
    return win32.join(local, 'autonomous', 'run');
  },
  notifier: null,
  configFolder: ({ APPDATA = '' }, home) =>
    win32.isAbsolute(APPDATA) ? APPDATA : win32.join(home, 'AppData', 'Roaming'),
  holdsFiles: true,
  // A group of its own would open a window.
  hasGroups: false,
  machineMark: ({ output, host }, env) => ({
    machine: GUID_OF_MACHINE.exec(output(systemProgram(env, 'reg.exe'), MACHINE_GUID))?.[1] ?? '',
    host,
    // Nothing names it in little time. A pipe shows whether its process lives.
    boot: '',
    space: '',
  }),
};

function inUpperCase(variables: Environment): Environment {
  const one: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(variables)) one[name.toUpperCase()] ??= value;
  return one;
}

function programNames(name: string, { PATHEXT }: Environment): readonly string[] {
  const known = (PATHEXT ?? '')
    .toUpperCase()
    .split(';')
    .filter((ending) => PROGRAMS.includes(ending));
  const endings = known.length === 0 ? PROGRAMS : known;
  const hasEnding = endings.includes(win32.extname(name).toUpperCase());
  return hasEnding ? [name] : endings.map((ending) => name + ending.toLowerCase());
}

/**
 * Cmd reads the line twice: once itself, and once where the script passes `%*` on. Throws INVALID_INPUT for an argument that cannot reach
 * the script as it is.
 */
function throughCmd(file: string, args: readonly string[], env: Environment): Start {
  if (args.some((arg) => /[\r\n\0]/.test(arg))) {
    throw failure('INVALID_INPUT', `${win32.basename(file)} takes no argument with a line break`);
  }
  // Also in quotes, cmd replaces variables.
  if (file.includes('%'))
    throw failure('INVALID_INPUT', `${file} is a script with a % in its path, which cmd replaces`);
  const line = [`"${file}"`, ...args.map((arg) => escaped(escaped(quoted(arg))))].join(' ');
  return { file: systemProgram(env, 'cmd.exe'), args: ['/d', '/s', '/c', `"${line}"`], isVerbatim: true };
}

/** In quotes, as a program of Windows takes its arguments apart. */
function quoted(arg: string): string {
  const inner = arg.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1');
  return `"${inner}"`;
}

/** Without a meaning for cmd. */
const escaped = (text: string): string => text.replace(/[()[\]%!^"`<>&|;, *?=]/g, '^$&');

/** Where Git for Windows has its bash, seen from the folder of its git. */
const GIT_BASH = ['..\\bin\\bash.exe', '..\\usr\\bin\\bash.exe', '..\\..\\bin\\bash.exe', '..\\..\\usr\\bin\\bash.exe'];

/** Models write bash, which comes with git. A `bash` of the PATH may be that of WSL, which has other files. */
function shell(env: Environment, find: (name: string) => string | null): Shell {
  const git = find('git');
  const places = git === null ? [] : GIT_BASH.map((place) => win32.resolve(win32.dirname(git), place));
  const bash = places.map(find).find((file) => file !== null);
  if (bash != null) return withOptions('bash', bash, ['-c']);
  const pwsh = find('pwsh');
  if (pwsh !== null) return withOptions('pwsh', pwsh, ['-NoProfile', '-NonInteractive', '-Command']);
  const file = systemProgram(env, 'cmd.exe');
  return {
    name: 'cmd',
    file,
    start: (command) => ({ file, args: ['/d', '/s', '/c', `"${command}"`], isVerbatim: true }),
  };
}

const withOptions = (name: Shell['name'], file: string, options: readonly string[]): Shell => ({
  name,
  file,
  start: (command) => ({ file, args: [...options, command], isVerbatim: false }),
});

/** Never another program that a variable names. */
export const systemProgram = ({ SYSTEMROOT }: Environment, ...path: readonly string[]): string =>
  win32.join(SYSTEMROOT ?? 'C:\\Windows', 'System32', ...path);
