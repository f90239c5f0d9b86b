/** Handles the requests about projects: each is checked against the state and causes an event. Runs in the owner alone. */

import { bounded } from '../../core/money/price/unpriced.ts';
import { unfinishedConversations } from '../../core/project/conversations.ts';
import { awaiting } from '../../core/project/projectAfter.ts';
import { definitionOf } from '../../core/project/reduceProjects.ts';
import { need, projectMessages } from '../../core/state/rows.ts';
import type { AgentEntries, Executors } from '../../shared/agent/executorSchemas.ts';
import { failure } from '../../shared/errors.ts';
import type { Connections } from '../../shared/model/connections.ts';
import { modelWithEffort } from '../../shared/model/effort.ts';
import { DEFAULT_PROJECT, MAIN_PROJECT, type ProjectDefinition } from '../../shared/project/projects.ts';
import type { FilingCheck } from '../job/filing.ts';
import { checkKnown } from '../job/requests/brief.ts';
import { projectOrDefault } from '../job/requests/defaultProject.ts';
import type { EngineRequests, ProjectRequestName } from '../job/requests/ports.ts';
import { isPricedNow } from '../job/requests/terms.ts';
import type { Store } from '../state/store.ts';
import { checkWritten } from './definition/definition.ts';
import { releasedText } from './released.ts';
import { checkAfter, checkEffort, checkLowered, needAtRest, needOrdinary, refuseTaken } from './requestChecks.ts';
import { newMessage } from './talk/messages.ts';

export interface ProjectRequestPorts {
  readonly store: Store;
  /** The defaults of a new project. */
  readonly defaults: ProjectDefinition;
  agents(): Promise<AgentEntries>;
  /** The user's connections, as they are now. */
  connections(): Connections;
  /** Throws NOT_READY if a message could not be answered. */
  readonly ready: FilingCheck;
  /** Model of a conversation if its project names none. */
  readonly conversationModel: string;
  /** Returns the name as it is stored. Throws INVALID_INPUT with the fault. */
  checkName(name: string): string;
  /** Throws INVALID_INPUT if a folder of this name exists that this workspace did not create. */
  checkFree(name: string): Promise<void>;
  /** The initial definition of a project: its template's, and the given parts. Throws NOT_FOUND for an unknown template. */
  begin(input: Parameters<EngineRequests['createProject']>[0]): Promise<Partial<ProjectDefinition>>;
  /**
   * The real path of the repository that a project may work on once it is trusted. Null for the workspace's own. Throws
   * INVALID_INPUT or NOT_A_REPOSITORY.
   */
  checkWorkdir(path: string): Promise<string | null>;
  /** The definition in a folder that is not adopted yet. Throws NOT_FOUND or INVALID_INPUT with the line. */
  foundDefinition(name: string): Promise<ProjectDefinition>;
}

type ProjectRequests = Pick<EngineRequests, ProjectRequestName>;

type Given = Omit<Parameters<ProjectRequests['defineProject']>[0], 'project'>;

const chosen = <T>(value: T | undefined, otherwise: T): T => (value === undefined ? otherwise : value);

/** An empty record counts as not given. */
const named = (executors: Executors | null): Executors | null =>
  Object.keys(executors ?? {}).length === 0 ? null : executors;

/** A definition with the given fields replaced. */
function redefined(before: ProjectDefinition, input: Given): ProjectDefinition {
  const limits = Object.fromEntries(Object.entries(input.limits ?? {}).filter(([, value]) => value !== undefined));
  return {
    model: chosen(input.model, before.model),
    provider: chosen(input.provider, before.provider),
    scenario: chosen(input.scenario, before.scenario),
    executors: named(chosen(input.executors, before.executors)),
    workdir: chosen(input.workdir, before.workdir),
    limits: { ...before.limits, ...limits },
    heartbeat: chosen(input.heartbeat, before.heartbeat),
    after: chosen(input.after, before.after),
    idleMinutes: chosen(input.idleMinutes, before.idleMinutes),
    body: chosen(input.body, before.body),
  };
}

/** The definition, with limits if its model has no price. */
async function limited(ports: ProjectRequestPorts, definition: ProjectDefinition): Promise<ProjectDefinition> {
  const model = definition.model === null ? null : modelWithEffort(definition.model).model;
  const isPriced = await isPricedNow(model, definition.provider, () => ports.connections());
  return isPriced ? definition : bounded(definition);
}

export function projectRequests(ports: ProjectRequestPorts): ProjectRequests {
  const { store } = ports;
  /** Checks a definition, and returns it as it is stored. */
  const checked = async (wanted: ProjectDefinition): Promise<ProjectDefinition> => {
    const definition = await limited(ports, wanted);
    checkWritten(definition);
    checkEffort(definition);
    checkKnown(await ports.agents(), Object.values(definition.executors ?? {}));
    const { workdir } = definition;
    return workdir === null ? definition : { ...definition, workdir: await ports.checkWorkdir(workdir) };
  };

  async function create(id: string, definition: ProjectDefinition, by: 'steward' | 'main'): Promise<void> {
    refuseTaken(store.state, id);
    const { model, workdir } = definition;
    await store.commit({ type: 'project_created', project: { id, model, workdir, definition }, by });
  }

  /** The main agent is made by the first word to it, and answered by whatever the newest word names. */
  async function prepareMain(input: Parameters<ProjectRequests['sendMessage']>[0]): Promise<void> {
    const known = store.state.projects.get(MAIN_PROJECT);
    const before = known === undefined ? ports.defaults : definitionOf(known);
    const { provider = before.provider, scenario = before.scenario, model = before.model } = input;
    const definition = await limited(ports, { ...before, provider, scenario, model });
    checkEffort(definition);
    if (known === undefined) return create(MAIN_PROJECT, definition, 'steward');
    if (provider === before.provider && scenario === before.scenario && model === before.model) return;
    await store.commit({ type: 'project_defined', project_id: MAIN_PROJECT, definition, by: 'steward' });
  }

  /** Throws NOT_READY before a message is stored that could not be answered. */
  async function needAnswerer({
    project,
    provider,
    model,
  }: Parameters<EngineRequests['sendMessage']>[0]): Promise<void> {
    const known = store.state.projects.get(project);
    const chosen = project === MAIN_PROJECT ? { provider, model } : {};
    const answers = {
      provider: chosen.provider ?? known?.provider ?? ports.defaults.provider,
      models: [modelWithEffort(chosen.model ?? known?.model ?? ports.conversationModel).model],
    };
    await ports.ready({ what: 'the message was not sent', model: answers, folder: null });
  }

  return {
    createProject: async (input) => {
      const id = ports.checkName(input.name);
      refuseTaken(store.state, id);
      await ports.checkFree(id);
      const begun = { ...ports.defaults, ...(await ports.begin(input)) };
      checkAfter(store.state, id, input.after);
      if (input.by === 'main') checkLowered(begun.limits, input.limits ?? {});
      await create(id, await checked(redefined(begun, input)), input.by);
      return { project: id };
    },
    defineProject: async ({ project, ...input }) => {
      const row = needOrdinary(store, project);
      checkAfter(store.state, row.id, input.after);
      const definition = await checked(redefined(definitionOf(row), input));
      await store.commit({ type: 'project_defined', project_id: row.id, definition, by: 'steward' });
      return null;
    },
    suspendProject: async ({ project, reason, by }) => {
      if (project === DEFAULT_PROJECT) await projectOrDefault(store, project);
      const { id } = needOrdinary(store, project);
      await store.commit({ type: 'project_suspended', project_id: id, reason, by });
      return null;
    },
    resumeProject: async ({ project, by }) => {
      const { id } = needOrdinary(store, project);
      await store.commit({ type: 'project_resumed', project_id: id, by });
      return null;
    },
    completeProject: async ({ project, reason, by }) => {
      const { id } = needOrdinary(store, project);
      const next = awaiting(store.state, id);
      const before = need(store.state, 'projects', id);
      await store.commit((state) => ({ type: 'project_completed', project_id: needAtRest(state, id, by), reason, by }));
      for (const row of next) {
        const text = releasedText(store.state, before, row, { reason, by });
        await store.commit(newMessage(store, { project_id: row.id, direction: 'in', sender: 'engine', text }));
      }
      return null;
    },
    archiveProject: async ({ project, by }) => {
      const { id } = needOrdinary(store, project);
      await store.commit({ type: 'project_archived', project_id: id, by });
      return null;
    },
    unparkProject: async ({ project }) => {
      const { id, parked } = needOrdinary(store, project);
      if (parked !== null) await store.commit({ type: 'project_unparked', project_id: id });
      return null;
    },
    adoptProject: async ({ name }) => {
      const id = ports.checkName(name);
      await create(id, await checked(await ports.foundDefinition(id)), 'steward');
      return { project: id };
    },
    sendMessage: async (input) => {
      if (input.text.trim() === '') throw failure('INVALID_INPUT', 'the message is empty', { hint: 'Say something.' });
      await needAnswerer(input);
      if (input.project === MAIN_PROJECT) await prepareMain(input);
      const { id } = await projectOrDefault(store, input.project);
      const sent = newMessage(store, {
        project_id: id,
        direction: 'in',
        sender: input.relayedFrom === null ? input.from : 'project',
        text: input.text,
        relayed_from: input.relayedFrom,
      });
      await store.commit(sent);
      return { messageId: sent.message.id };
    },
    stopTurn: async ({ project, by }) => {
      const { id, ended_turn } = need(store.state, 'projects', project);
      const said = projectMessages(store.state, id).findLast(({ direction }) => direction === 'in');
      if (said === undefined || !unfinishedConversations(store.state).has(id)) return { stopped: false };
      if (ended_turn !== said.id) await store.commit({ type: 'turn_ended', project_id: id, up_to: said.id, by });
      return { stopped: true };
    },
    markRead: async ({ project, upTo, by }) => {
      await store.commit({ type: 'messages_read', project_id: project, direction: 'out', up_to: upTo, by });
      return null;
    },
  };
}
