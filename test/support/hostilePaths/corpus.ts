/** Paths that lead out, mean another file to some file system, or break whoever takes them apart. */
import { randomOf } from '../suite/proof.ts';

const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const each = <A, B>(one: readonly A[], other: readonly B[], join: (a: A, b: B) => string): string[] =>
  one.flatMap((a) => other.map((b) => join(a, b)));

const UPWARDS = [
  '../',
  './../',
  'dir/../../',
  'dir/./../../',
  'missing/../../',
  'in-dir/../../',
  'out-dir/../',
  '..//',
  '..\\',
  '..\\/',
  '.. /',
  '. ./',
  '..\u200b/',
  '..\0/',
  '....//',
  '..;/',
  '%2e%2e/',
  '%2e%2e%2f',
  '%252e%252e%252f',
  '..%2f',
  '..%5c',
  '..%c0%af',
  '..%c1%9c',
  '..%e0%80%af',
  '\u2024\u2024/',
  '\uff0e\uff0e/',
  '..\u2215',
  '..\u2044',
  '..\uff0f',
];

const WINDOWS = [
  'C:\\Windows\\win.ini',
  'C:secret.txt',
  'c:/secret.txt',
  'C:..\\secret.txt',
  'Z:',
  '\\secret.txt',
  '\\\\server\\share\\secret.txt',
  '//server/share/secret.txt',
  '\\\\?\\C:\\secret.txt',
  '\\\\?\\UNC\\server\\share\\secret.txt',
  '\\\\.\\C:\\secret.txt',
  '\\\\.\\pipe\\secret',
  '\\\\.\\PhysicalDrive0',
  '\\??\\C:\\secret.txt',
  '\\??\\UNC\\server\\share',
  '\\Device\\HarddiskVolume1\\secret.txt',
  '\\\\?\\GLOBALROOT\\Device\\Null',
  '\\\\localhost\\c$\\secret.txt',
  '\\\\127.0.0.1@8080\\secret.txt',
  '//?/C:/secret.txt',
];

export const DEVICES: readonly string[] = [
  'CON',
  'PRN',
  'AUX',
  'NUL',
  'COM1',
  'COM9',
  'COM¹',
  'LPT1',
  'LPT9',
  'CONIN$',
  'CONOUT$',
  'CLOCK$',
];

const STREAMS = [':stream', '::$DATA', ':stream:$DATA', '::$INDEX_ALLOCATION', ':$I30:$INDEX_ALLOCATION'];

/** Spellings of `.git` for some file system. */
export const GIT_NAMES: readonly string[] = [
  ...['.git', '.GIT', '.Git', '.gIt', '.git.', '.git ', '.git . .', '.git...', '.GIT '],
  ...['git~1', 'GIT~1', 'Git~1', '.g\u200cit', '.gi\u200dt', '.git\u200b', '\ufeff.git', '.\u202egit', '.g\u2060it'],
  ...['.git::$INDEX_ALLOCATION', '.git:$I30', '.git::$DATA', '.git\u00ad', '.g\u034fit', '.git\u180e'],
];

/** Spellings of `.autonomous`. `ſ` is an `s` to a file system that folds by way of the large letters. */
export const STATE_NAMES: readonly string[] = [
  ...['.autonomous', '.AUTONOMOUS', '.Autonomous', '.autonomous.', '.autonomous ', 'AUTONO~1', 'autono~1'],
  ...['.auto\u200bnomous', '.autonomous::$DATA', '.autonomou\u017f', '.autonomous\u2060', '\u2066.autonomous'],
];

/** What others would run or obey: it may be written in a clone, and is flagged at the merge. */
export const FLAGGED: readonly string[] = [
  ...[
    '.gitattributes',
    '.gitmodules',
    '.gitconfig',
    '.vscode/tasks.json',
    '.VSCODE/settings.json',
    '.v\u017fcode/tasks.json',
  ],
  ...['x.code-workspace', '.idea/runConfigurations/a.xml', '.devcontainer/devcontainer.json', '.mcp.json', 'mcp.json'],
  ...['.cursor/mcp.json', '.claude/settings.json', '.Claude/hooks.json', '.codex/config.toml', '.gemini/settings.json'],
  ...['AGENTS.md', 'CLAUDE.md', 'agents.md', 'sub/AGENTS.md', '.husky/pre-commit', '.hu\u017f\u212ay/pre-commit'],
  ...['.githooks/post-merge', '.github/workflows/ci.yml', '.GitHub/Workflows/ci.yml', '.github/actions/a/action.yml'],
  ...['.npmrc', '.NPMRC', '.yarnrc', '.yarnrc.yml', '.yarn/releases/yarn.cjs', '.pnpmfile.cjs', '.envrc', 'mise.toml'],
  ...['.pre-commit-config.yaml', 'lefthook.yml', '.gitlab-ci.yml', 'Jenkinsfile', '.circleci/config.yml', '.exrc'],
  ...[
    'sitecustomize.py',
    '.autonomous/projects/api/PROJECT.md',
    '.git/hooks/pre-commit',
    'sub/.git/config',
    'VSCODE~1/x',
  ],
  ...['.vscode\\tasks.json', '.vscode./tasks.json', '.vscode /tasks.json', '.vs\u200bcode/tasks.json', '.npmrc::$DATA'],
];

/** Entries of the tree of `linkedTree.ts`, and what may follow them. */
const SPOTS = [
  ...[
    'file.txt',
    'dir',
    'in-link',
    'in-dir',
    'out-link',
    'out-dir',
    'out-up',
    'dangling',
    'dangling-dir',
    'loop',
    'hop',
  ],
  ...['hard', 'fifo', 'socket', 'device', 'sparse', 'to-git', 'to-state', 'sub', 'sub/out-dir', 'back', 'proc'],
];
const AFTER = [
  '',
  '/',
  '/.',
  '/..',
  '/../../outside/secret.txt',
  '/secret.txt',
  '/deep/secret.txt',
  '/new/a.txt',
  '/config',
];

const LENGTHS = [255, 256, 1_024, 4_095, 4_096, 5_000];

const ODD = [
  ...[
    '',
    '.',
    './',
    '..',
    '/',
    '//',
    '///',
    '~',
    '~root/x',
    '-',
    '--',
    '-rf',
    '*',
    '?',
    '[a]',
    '$HOME/x',
    '$(id)',
    '`id`',
  ],
  ...[
    'a\0b',
    '\0',
    'file.txt\0.png',
    'a\nb',
    'a\rb',
    'a\tb',
    '\u0007',
    '\u001b[31m',
    '\u2028',
    '\ud800',
    '\udfff.txt',
    '\ufffe',
  ],
  ...[
    'file.txt.',
    'file.txt ',
    ' file.txt',
    'dir./a.txt',
    'dir /a.txt',
    'FILE.TXT',
    'File.txt',
    'DIR/a.txt',
    'file.tx\u212a',
  ],
  ...['e\u0301.txt', '\u00e9.txt', 'I\u0307.txt', '\u0130.txt', '\ufb01le.txt', 'file\u202etxt.', '\u3000', '\u00a0'],
];

/** `tree` and `outside` by their absolute paths. Each once, in one order. */
export function hostilePaths(tree: string, outside: string, random: number, seed: number): string[] {
  const secret = `${outside}/secret.txt`;
  const absolute = [
    ...[secret, `/${secret}`, `//${secret}`, `/.${secret}`, `file://${secret}`, `/proc/self/root${secret}`, outside],
    ...[`${tree}/../outside/secret.txt`, `${tree}/./dir/../../outside/secret.txt`, `${tree}x`, `${tree}-beside/a.txt`],
    ...[`${tree}/file.txt`, `${tree}/out-link`, `${tree}/out-dir/secret.txt`, tree, `${tree}/`, secret.toUpperCase()],
    ...['/etc/passwd', '/etc/shadow', '/dev/zero', '/dev/tty', '/dev/stdin', '/dev/fd/0', '/proc/self/environ'],
    ...['/proc/self/cwd/x', '/proc/self/mem', '/proc/1/root/etc/passwd', '/sys/kernel/x', '/tmp', '/root/.ssh/id_rsa'],
  ];
  const fixed = [
    ...each(UPWARDS, ['outside/secret.txt', 'outside/new.txt'], (up, rest) => up + rest),
    ...each(
      UPWARDS.slice(0, 9),
      times(5, (at) => at + 2),
      (up, count) => `${up.repeat(count)}outside/secret.txt`,
    ),
    ...absolute,
    ...WINDOWS,
    ...each(DEVICES, ['', '.txt', ':', ' .txt', '/a.txt'], (device, rest) => device + rest),
    ...each(DEVICES.slice(0, 6), ['', '.log'], (device, rest) => `dir/${device.toLowerCase()}${rest}`),
    ...each(['file.txt', 'dir', '.env', 'new'], STREAMS, (name, stream) => name + stream),
    ...each(GIT_NAMES, ['', '/config', '/hooks/pre-commit'], (name, rest) => name + rest),
    ...GIT_NAMES.flatMap((name) => [`dir/${name}/config`, `dir\\${name}\\config`]),
    ...each(STATE_NAMES, ['', '/events.jsonl', '/projects/web/PROJECT.md'], (name, rest) => name + rest),
    ...STATE_NAMES.map((name) => `dir/../${name}/events.jsonl`),
    ...FLAGGED,
    ...each(SPOTS, AFTER, (spot, rest) => spot + rest),
    ...LENGTHS.flatMap((length) => ['n'.repeat(length), `dir/${'n'.repeat(length)}`, 'a/'.repeat(length / 2)]),
    ...[
      `${'../'.repeat(1_300)}etc/passwd`,
      `${'./'.repeat(2_000)}file.txt`,
      `${'dir/../'.repeat(500)}../outside/secret.txt`,
    ],
    ...ODD,
  ];
  return [...new Set([...fixed, ...composed(random, seed)])];
}

const PIECES = [...SPOTS, ...UPWARDS, ...ODD, ...GIT_NAMES, '/', '/', '/', 'outside', 'secret.txt', 'new.txt'];

/** Of the same pieces, as nobody would put them together. */
function composed(count: number, seed: number): string[] {
  const random = randomOf(seed);
  return times(count, () => {
    const parts = times(1 + random(6), () => PIECES[random(PIECES.length)] ?? '');
    return parts.join(random(2) === 0 ? '/' : '');
  });
}
