/**
 * Finds changed paths that would run code on the user's machine after a merge, without the user starting it knowingly: git hooks, editor and agent
 * settings, package manager settings and scripts, build services. The steward ticks these one by one.
 */

import { AUTO_EXECUTED_PATHS } from './autoExecutedPaths.ts';
import { foldedName } from './hiddenNames.ts';

export interface FlaggedPath {
  /** In the given form. */
  readonly path: string;
  /** The program that would run it, for a person. */
  readonly why: string;
}

/** A file before and after a change. Null if it did not exist. */
export interface FileTexts {
  readonly before: string | null;
  readonly after: string | null;
}

const FOLDERS: Readonly<Record<string, string>> = {
  '.git': "git's own files",
  '.husky': 'git hooks',
  '.githooks': 'git hooks',
  '.vscode': 'editor settings, tasks and launch commands',
  '.vs': 'editor settings',
  '.idea': 'editor settings and run configurations',
  '.zed': 'editor settings and tasks',
  '.fleet': 'editor settings and run configurations',
  '.devcontainer': 'commands of a dev container',
  '.windsurf': 'agent settings',
  '.roo': 'agent settings',
  '.continue': 'agent settings',
  '.kiro': 'agent settings and hooks',
  '.kilocode': 'agent settings',
  '.amazonq': 'agent settings',
  '.autonomous': 'state of Autonomous: it is never merged',
  '.circleci': 'a build service runs it',
  '.cargo': 'settings of cargo',
  '.mvn': 'settings of maven',
  '.mise': 'run by mise on entering the folder',
  '.yarn': 'package manager code',
};

/** Two folder names in a row. */
const NESTED_FOLDERS: Readonly<Record<string, string>> = {
  '.github/workflows': 'a build service runs it',
  '.github/actions': 'a build service runs it',
  '.github/agents': 'instructions that agents obey',
  '.github/instructions': 'instructions that agents obey',
  '.github/prompts': 'instructions that agents obey',
  '.config/mise': 'run by mise on entering the folder',
  'node_modules/.bin': 'programs that scripts of packages find before all others',
};

const FILES: readonly (readonly [RegExp, string])[] = [
  [/^\.git(?!ignore$|keep$)/, 'settings of git'],
  [/\.code-workspace$/, 'editor settings and tasks'],
  [/\.sublime-project$/, 'editor settings and build commands'],
  [/^\.?mcp\.json$/, 'servers that agents start'],
  [/^(?:agents|claude|gemini|qwen)(?:\.local)?\.md$/, 'instructions that agents obey'],
  [/^copilot-instructions\.md$/, 'instructions that agents obey'],
  [/^\.(?:cursorrules|windsurfrules|goosehints)$/, 'instructions that agents obey'],
  [/^\.npmrc$/, 'package manager settings'],
  [/^\.yarnrc/, 'package manager settings'],
  [/^\.?pnpmfile\.[cm]?js$/, 'package manager code'],
  [/^bunfig\.toml$/, 'package manager settings'],
  [/^binding\.gyp$/, 'run at package installation'],
  [/^pip\.conf$/, 'package manager settings'],
  [/^\.env(?:\.(?!example$|sample$|template$).*)?$/, 'variables that programs start with'],
  [/^\.envrc$/, 'run by direnv on entering the folder'],
  [/^\.?mise(?:\.local)?\.toml$/, 'run by mise on entering the folder'],
  [/^\.pre-commit-config\.ya?ml$/, 'git hooks'],
  [/^\.?lefthook(?:-local)?\.(?:ya?ml|toml|json)$/, 'git hooks'],
  [/^\.(?:huskyrc|lintstagedrc|simple-git-hooks)/, 'git hooks'],
  [/^lint-staged\.config\./, 'git hooks'],
  [/^\.(?:gitlab-ci|travis)\.ya?ml$/, 'a build service runs it'],
  [/^(?:azure|bitbucket)-pipelines\.ya?ml$/, 'a build service runs it'],
  [/^jenkinsfile$/, 'a build service runs it'],
  [/^gradle-wrapper\.(?:properties|jar)$/, 'run by the build tool'],
  [/^\.(?:exrc|n?vimrc|nvim\.lua|dir-locals\.el|gdbinit|lldbinit)$/, 'run by a tool that is started in the folder'],
  [/^(?:sitecustomize|usercustomize)\.py$/, 'run by every Python that is started in the folder'],
];

/** Fields of package.json with commands that run. */
const PACKAGE_FIELDS = ['scripts', 'husky', 'lint-staged', 'simple-git-hooks', 'pre-commit', 'gypfile', 'pnpm', 'yarn'];

const SHORT_NAME = /^[^~]{1,8}~\d+(?:\.[^.]{0,3})?$/;

/** The names that a file system of any kind could take this path for, one a folder. */
function foldedSegments(path: string): string[] {
  return path
    .replaceAll('\\', '/')
    .split('/')
    .map(foldedName)
    .filter((segment) => segment !== '');
}

/** Matches one name of the path, or two consecutive ones. */
function folderReason(segments: readonly string[]): string | undefined {
  for (const [at, segment] of segments.entries()) {
    const nested = NESTED_FOLDERS[`${segment}/${segments[at + 1] ?? ''}`];
    const reason = Object.hasOwn(FOLDERS, segment) ? FOLDERS[segment] : nested;
    if (reason !== undefined) return reason;
  }
  return undefined;
}

const OBEYED = new Set(AUTO_EXECUTED_PATHS);

/** Paths that are hidden from reviewing agents have the same effect on the user's agents after the merge. */
const isObeyed = (segments: readonly string[]): boolean =>
  segments.some((segment, at) => OBEYED.has(segment) || OBEYED.has(`${segment}/${segments[at + 1] ?? ''}`));

function parsed(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    // not JSON: the caller takes that for a change
    return null;
  }
}

/** Unknown or unreadable texts count as changed. */
function changesScripts(texts: FileTexts | undefined): boolean {
  if (texts === undefined) return true;
  if (texts.after === null) return false;
  const after = parsed(texts.after);
  const before = texts.before === null ? {} : parsed(texts.before);
  if (after === null || before === null) return true;
  return PACKAGE_FIELDS.some((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
}

function reasonFor(path: string, textsOf: (path: string) => FileTexts | undefined): string | undefined {
  const segments = foldedSegments(path);
  const name = segments.at(-1) ?? '';
  const folder = folderReason(segments);
  if (folder !== undefined) return folder;
  const file = FILES.find(([pattern]) => pattern.test(name))?.[1];
  if (file !== undefined) return file;
  if (isObeyed(segments)) return 'agents run or obey it';
  if (name === 'package.json' && changesScripts(textsOf(path))) return 'scripts of package.json';
  if (segments.some((segment) => SHORT_NAME.test(segment)))
    return 'a short name that Windows may take for another file';
  return undefined;
}

/**
 * Returns the paths (relative, as git names them) that would run, with the reason, in the given order. `textsOf` returns a package.json before and
 * after the change; without it every changed one is flagged.
 */
export function executablePaths(
  paths: readonly string[],
  textsOf: (path: string) => FileTexts | undefined = () => undefined,
): readonly FlaggedPath[] {
  return paths.flatMap((path) => {
    const why = reasonFor(path, textsOf);
    return why === undefined ? [] : [{ path, why }];
  });
}
