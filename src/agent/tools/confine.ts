/**
 * Where the file tools may go: the SDK keeps them in the working directory, this keeps them from writing git's own files, and
 * from our state: the memories and conversations of all projects lie there, and a project's tools see the workspace itself.
 */
import { sep } from 'node:path';
import { ToolError } from '@anthropic-ai/sdk/lib/tools/ToolError';
import { resolvePath } from '@anthropic-ai/sdk/tools/agent-toolset/node';
import { isGitName, isSecretName, isStateName } from '../../core/hiddenNames.ts';
import type { ToolContext } from './tool.ts';

/** Throws `ToolError` when the path leads into a `.git`, under any spelling that some file system takes for it, or out of the tree. */
export async function refuseGitPath(workdir: string, path: string): Promise<void> {
  const [root, target] = await Promise.all([resolvePath({ workdir }, '.'), resolvePath({ workdir }, path)]);
  const below = target.slice(root.length).split(sep);
  const asked = path.split(/[\\/]/);
  if ([...below, ...asked].some(isGitName)) {
    throw new ToolError(`${JSON.stringify(path)} belongs to git: it can be read, not written`);
  }
}

type Where = Pick<ToolContext, 'workdir' | 'project'>;

/**
 * Throws `ToolError` when the path leads into our state, by whatever link; for a project, which sees the workspace itself and
 * no clone of it, also for what no clone holds: secrets, and git's own files.
 */
export async function refuseHiddenPath({ workdir, project }: Where, path: string): Promise<void> {
  const [root, target] = await Promise.all([resolvePath({ workdir }, '.'), resolvePath({ workdir }, path)]);
  if (!target.slice(root.length).split(sep).some(hidden(project))) return;
  throw new ToolError(`${JSON.stringify(path)} is not for you: state of Autonomous, a secret, or git's own`);
}

/** Results, each a line that begins with its path, without those that are refused. */
export function withoutHidden({ project }: Where, text: string): string {
  const isHidden = hidden(project);
  const lines = text.split('\n');
  return lines
    .filter((line) => {
      const path = /^(.*?):\d+:/.exec(line)?.[1] ?? line;
      return !path.split(/[\\/]/).some(isHidden);
    })
    .join('\n');
}

const hidden = (project: Where['project']): ((name: string) => boolean) =>
  project === null ? isStateName : (name) => isStateName(name) || isGitName(name) || isSecretName(name);

/** Paths of results as the model gives them: relative to the working directory. */
export async function relativePaths(workdir: string, text: string): Promise<string> {
  const root = await resolvePath({ workdir }, '.');
  const roots = [root, workdir].map((folder) => (folder.endsWith(sep) ? folder : folder + sep));
  return text
    .split('\n')
    .map((line) => {
      const prefix = roots.find((folder) => line.startsWith(folder));
      return prefix === undefined ? line : line.slice(prefix.length);
    })
    .join('\n');
}

/** The SDK's file tools answer in text; anything else they might give one day is shown as JSON. */
export function asText(result: unknown): string {
  return typeof result === 'string' ? result : JSON.stringify(result);
}
