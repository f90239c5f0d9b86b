/** Decides what a fresh checkout may reuse from an earlier one, and describes how its results differ from the worker's tree. */
import type { Evidence } from '../../../shared/job/evidence.ts';
import { differs, hasPassed } from '../view/freshRun.ts';

/** Files that control what package managers install: lock files, manifests, settings. */
const INPUTS = [
  /^(?:package(?:-lock)?|npm-shrinkwrap|composer)\.(?:json|lock)$/,
  /^(?:pnpm-lock|pnpm-workspace)\.ya?ml$/,
  /^(?:yarn|bun|uv|poetry|Cargo|Gemfile|composer|Pipfile|deno)\.lock$/i,
  /^bun\.lockb$/,
  /^\.(?:npmrc|yarnrc|yarnrc\.yml|pnpmfile\.[cm]?js|bundle|python-version|nvmrc|node-version|tool-versions)$/,
  /^(?:pyproject|Cargo|bunfig|uv)\.toml$/,
  /^(?:setup\.(?:py|cfg)|Pipfile|Gemfile|go\.(?:mod|sum|work)|requirements.*\.txt|.*\.gemspec|build\.rs|binding\.gyp)$/,
];
const INPUT_FOLDERS = ['patches', '.yarn', '.cargo', '.bundle'];

/** Folders that contain only dependencies, and no result of a build. */
const DEPENDENCY_FOLDERS = ['node_modules', '.venv', 'venv', '.bundle', '.pnpm-store'];

/** Whether a change of this path can change what the setup installs. */
export function isDependencyInput(path: string): boolean {
  const parts = path.split('/');
  const name = parts.at(-1) ?? '';
  return parts.some((part) => INPUT_FOLDERS.includes(part)) || INPUTS.some((pattern) => pattern.test(name));
}

/**
 * The folders of a setup in an empty checkout that can be reused. Null if the setup created anything else: then part of its result may be built from
 * the work, and the setup must run again for each commit. `made` are paths as git lists them, folders with a slash at the end.
 */
export function dependencyFolders(made: readonly string[]): readonly string[] | null {
  const folders = made.map((path) => path.replace(/\/$/, ''));
  const isDependency = (path: string): boolean => DEPENDENCY_FOLDERS.includes(path.split('/').at(-1) ?? '');
  return folders.every((path, at) => made[at]?.endsWith('/') === true && isDependency(path)) ? folders : null;
}

/** Adds to the evidence of a fresh checkout the results of the same commands in the worker's tree at the same commit. */
export function besideTree(fresh: readonly Evidence[], known: readonly Evidence[]): Evidence[] {
  return fresh.map((one) => {
    const same = known.findLast(
      (other) => other.fresh === undefined && other.commit === one.commit && other.command === one.command,
    );
    return { ...one, fresh: { inTree: same === undefined ? null : hasPassed(same) ? 'passed' : 'failed' } };
  });
}

/** One paragraph on the commands with different results. Null if there are none. */
export function differenceText(evidence: readonly Evidence[]): string | null {
  const lines = evidence.filter(differs).map((one) => {
    const [now, before] = hasPassed(one) ? ['passed', 'failed'] : ['failed', 'passed'];
    return `- \`${one.command}\` ${before} in the worker's tree and ${now} in a fresh checkout of the same commit.`;
  });
  if (lines.length === 0) return null;
  return `${lines.join('\n')}\nOnly the fresh checkout counts: the difference comes from files that are in no commit.`;
}
