/** The current project: new briefs of this workspace are filed in it. */
import type { Memento } from 'vscode';
import { DEFAULT_PROJECT, MAIN_PROJECT, type ProjectRow } from '../../shared/project/projects.ts';
import type { State } from '../../shared/workspace/state.ts';

const KEPT = 'autonomous.project';

/** Whether a brief may be filed in the project, now or once it is resumed. */
function takesBriefs({ id, status }: ProjectRow): boolean {
  return id !== MAIN_PROJECT && (status === 'active' || status === 'suspended');
}

/** In which projects a brief may be filed, the default one first. */
export function briefProjects({ projects }: State): readonly string[] {
  const others = [...projects.values()].filter((row) => row.id !== DEFAULT_PROJECT && takesBriefs(row));
  return [DEFAULT_PROJECT, ...others.map(({ id }) => id).sort()];
}

/** Falls back to the default project if none was chosen, or if the chosen one has ended or belongs to another folder. */
export function currentProject(memory: Memento, { projects }: State): string {
  const row = projects.get(memory.get<string>(KEPT, DEFAULT_PROJECT));
  return row !== undefined && takesBriefs(row) ? row.id : DEFAULT_PROJECT;
}

export async function switchProject(memory: Memento, project: string): Promise<void> {
  await memory.update(KEPT, project === DEFAULT_PROJECT ? undefined : project);
}
