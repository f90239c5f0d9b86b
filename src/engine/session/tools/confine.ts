/**
 * Limits the files that the file tools may see. Hidden are the engine's state, with the memories and conversations of all
 * projects, and,
 * for a project's tools, which see the workspace itself, files that no clone contains.
 */
import { isAbsolute, relative, sep } from 'node:path';
import { ToolError } from '@anthropic-ai/sdk/lib/tools/ToolError';
import { isGitName, isSecretName, isStateName } from '../../../core/guard/hiddenNames.ts';
import type { ToolContext } from './tool.ts';

/** The tree that a path is confined to. */
export type Tree = Pick<ToolContext, 'workdir' | 'files' | 'project'>;

/** The path relative to the tree. Throws `ToolError` if it leads outside, or is hidden. */
export async function wayInTree({ workdir, project, files }: Tree, path: string): Promise<string> {
  const way = await files.wayInto(path, [workdir]);
  if (way === null) throw new ToolError(`${JSON.stringify(path)} is outside of the tree`);
  // The tree itself may be in a folder of the state.
  const given = isAbsolute(path) ? relative(workdir, path) : path;
  if (![...way.split(sep), ...given.split(/[\\/]/)].some(hiddenNames(project))) return way;
  throw new ToolError(`${JSON.stringify(path)} is not for you: state of Autonomous, a secret, or git's own`);
}

/** Names that are hidden at every depth. Secrets and git's own are in no clone. */
export const hiddenNames = (project: ToolContext['project']): ((name: string) => boolean) =>
  project === null ? isStateName : (name) => isStateName(name) || isGitName(name) || isSecretName(name);

/** The SDK's memory tool answers in text; anything else is shown as JSON. */
export function asText(result: unknown): string {
  return typeof result === 'string' ? result : JSON.stringify(result);
}
