/** The row of a conversation's session, and what determines its first request. */

import { thinkingRoom } from '../../../core/model/effort.ts';
import { modelWithEffort } from '../../../shared/model/effort.ts';
import { MAIN_PROJECT, type ProjectRow } from '../../../shared/project/projects.ts';
import type { Role, SessionRow } from '../../../shared/session.ts';
import type { TableName } from '../../../shared/workspace/state.ts';
import type { SessionSpec } from '../../session/ports.ts';
import { mainSystem } from '../../session/prompts/main.ts';
import { type ListedSkill, projectSystem } from '../../session/prompts/project.ts';
import type { ConversationPorts, ModelOf } from './conversationPorts.ts';

/** Limit of one call: the conversation writes short texts, and keeps long ones in files. */
const MAX_TOKENS = 8_000;

export async function oneId({ store }: Pick<ConversationPorts, 'store'>, table: TableName): Promise<number> {
  const [id] = await store.nextIds(table, 1);
  if (id === undefined) throw new Error(`no id for ${table}`);
  return id;
}

/** Sessions of the project that belong to none of its jobs and tasks, newest first. */
export function ownSessions({ store, projectId }: ConversationPorts, role: Role): SessionRow[] {
  return [...store.state.sessions.values()]
    .filter((row) => row.project_id === projectId && row.job_id === null && row.task_id === null && row.role === role)
    .sort((a, b) => b.id - a.id);
}

/** One session for the time that a project is active: an open session is resumed after a crash. */
export async function conversationSession(ports: ConversationPorts, project: ProjectRow): Promise<number> {
  const role = project.id === MAIN_PROJECT ? 'main' : 'project';
  const known = ownSessions(ports, role).find((row) => row.status === 'running');
  return known?.id ?? newSession(ports, role, null, modelFor(project, role, ports.models));
}

export async function newSession(
  ports: ConversationPorts,
  role: Role,
  parentId: number | null,
  model: string,
): Promise<number> {
  const id = await oneId(ports, 'sessions');
  await ports.store.commit({
    type: 'session_started',
    id,
    job_id: null,
    project_id: ports.projectId,
    parent_id: parentId,
    role,
    model,
    phase_id: null,
    notes: [],
  });
  return id;
}

export function modelFor({ model }: ProjectRow, role: keyof ModelOf, models: ModelOf): string {
  return model === null ? models[role] : modelWithEffort(model).model;
}

export function conversationSpec(project: ProjectRow, skills: readonly ListedSkill[], models: ModelOf): SessionSpec {
  const role = project.id === MAIN_PROJECT ? 'main' : 'project';
  const { id: name, body } = project;
  const effort = modelWithEffort(project.model ?? '').effort ?? undefined;
  return {
    role,
    model: modelFor(project, role, models),
    system: role === 'main' ? mainSystem(body) : projectSystem({ name, body, skills }),
    opening: '',
    maxTokens: MAX_TOKENS + thinkingRoom(effort),
    ...(effort === undefined ? {} : { effort }),
  };
}
