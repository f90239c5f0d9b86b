/**
 * What the file tools may see: not our state, where the memories and conversations of all projects lie; and of the workspace itself,
 * which a project's tools see, nothing that no clone of it holds.
 */
import { sep } from 'node:path';
import { ToolError } from '@anthropic-ai/sdk/lib/tools/ToolError';
import { resolvePath } from '@anthropic-ai/sdk/tools/agent-toolset/node';
import { isGitName, isSecretName, isStateName } from '../../core/hiddenNames.ts';
import type { ToolContext } from './tool.ts';

/** The tree that a path is confined to. */
export type Tree = Pick<ToolContext, 'workdir' | 'files' | 'project'>;

/** Where the path leads to in the tree, relative to it. Throws `ToolError` when that is outside of it, or hidden. */
export async function wayInTree({ workdir, project, files }: Tree, path: string): Promise<string> {
  const way = await files.wayInto(path, [workdir]);
  if (way === null) throw new ToolError(`${JSON.stringify(path)} is outside of the tree`);
  if (![...way.split(sep), ...path.split(/[\\/]/)].some(hiddenNames(project))) return way;
  throw new ToolError(`${JSON.stringify(path)} is not for you: state of Autonomous, a secret, or git's own`);
}

/** Results, each a line that begins with its path, without those that are refused. */
export function withoutHidden({ project }: ToolContext, text: string): string {
  const isHidden = hiddenNames(project);
  const lines = text.split('\n');
  return lines
    .filter((line) => {
      const path = /^(.*?):\d+:/.exec(line)?.[1] ?? line;
      return !path.split(/[\\/]/).some(isHidden);
    })
    .join('\n');
}

/** Secrets and git's own are in no clone. */
export const hiddenNames = (project: ToolContext['project']): ((name: string) => boolean) =>
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
