/** Returns the tools of a project to the tools of its sessions. */
import type { ProjectTools } from '../ports.ts';
import type { ToolContext } from './tool.ts';

/** Returns the tools of the session's project. Only roles that have one are given the tools that ask for it. */
export function projectOf({ project }: Pick<ToolContext, 'project'>): ProjectTools {
  if (project === null) throw new Error('this session belongs to no project');
  return project;
}
