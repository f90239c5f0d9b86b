/** The project with this id. The default project is created when it is first needed. */
import { need } from '../../../core/state/rows.ts';
import { DEFAULT_PROJECT, type ProjectRow } from '../../../shared/project/projects.ts';
import type { Store } from '../../state/store.ts';

/** Throws `NOT_FOUND` for any other project that does not exist. */
export async function projectOrDefault(store: Store, id: string): Promise<ProjectRow> {
  if (id === DEFAULT_PROJECT && !store.state.projects.has(id)) {
    await store.commit({ type: 'project_created', project: { id, model: null, workdir: null } });
  }
  return need(store.state, 'projects', id);
}
