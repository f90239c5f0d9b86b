import type { ProjectDesk } from '../ports.ts';
import type { ToolContext } from './tool.ts';

/** The desk of the session's project. Only roles that have one are given the tools that ask for it. */
export function projectOf({ project }: Pick<ToolContext, 'project'>): ProjectDesk {
  if (project === null) throw new Error('this session belongs to no project');
  return project;
}
