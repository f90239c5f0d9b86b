/** A project's conversation over real files and a store in memory, answered from a script. A kill is a new one on the same files. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach } from 'vitest';
import { nodeFiles } from '../../../src/adapters/files/files.ts';
import { openTranscript } from '../../../src/adapters/files/transcripts.ts';
import { lineSeal } from '../../../src/adapters/log/seal.ts';
import { findRipgrep } from '../../../src/adapters/platform/ripgrep.ts';
import { openTree } from '../../../src/adapters/tree/treeFiles.ts';
import { openProjectConversation } from '../../../src/app/worker/conversation.ts';
import { plainDefinition } from '../../../src/core/project/reduceProjects.ts';
import { deliveryText } from '../../../src/core/project/relay.ts';
import { projectMessages } from '../../../src/core/state/rows.ts';
import { briefing } from '../../../src/engine/main/briefing.ts';
import { callJobTool } from '../../../src/engine/project/jobTool.ts';
import type { ConversationSettings } from '../../../src/engine/project/talk/conversationPorts.ts';
import { recall } from '../../../src/engine/project/talk/recall.ts';
import type { ConversationCalls, ProjectConversation } from '../../../src/engine/project/threadPorts.ts';
import type { Store } from '../../../src/engine/state/store.ts';
import { type PlainFailure, toPlain } from '../../../src/shared/errors.ts';
import type { MessageRow, ProjectDefinition, Sender } from '../../../src/shared/project/projects.ts';
import { type Scripted, ScriptedModel } from '../provider/scriptedModel.ts';
import { openMemoryStore } from '../state/memoryStore.ts';
import { FakeClock } from '../time/fakeClock.ts';

export interface TalkWorldOptions {
  readonly project?: string;
  readonly definition?: Partial<ProjectDefinition>;
  readonly settings?: ConversationSettings;
  readonly owner?: Partial<ConversationCalls>;
  readonly clock?: FakeClock;
  /** Names of other projects. */
  readonly others?: readonly string[];
  /** What the first calls of the gateway fail with; null: that one does not. */
  readonly refusals?: readonly (Error | null)[];
}

export class TalkWorld {
  readonly root = mkdtempSync(join(tmpdir(), 'autonomous-talk-'));
  readonly stateDir = join(this.root, '.autonomous');
  readonly projectId: string;
  readonly key = randomBytes(32);
  readonly problems: string[] = [];
  readonly live: string[] = [];
  /** Jobs filed, each brief once for a session. */
  readonly briefs: string[] = [];
  readonly store: Store;
  readonly model: ScriptedModel;
  readonly clock: FakeClock;
  readonly #options: TalkWorldOptions;
  readonly #refusals: (Error | null)[];
  #epoch = 1;
  #run = 0;
  #talk: ProjectConversation | null = null;
  #rested = Promise.withResolvers<PlainFailure | null>();

  private constructor(store: Store, model: ScriptedModel, clock: FakeClock, options: TalkWorldOptions) {
    this.store = store;
    this.model = model;
    this.clock = clock;
    this.projectId = options.project ?? 'api';
    this.#options = options;
    this.#refusals = [...(options.refusals ?? [])];
    mkdirSync(join(this.stateDir, 'epoch'), { recursive: true });
    this.#claim();
    store.subscribe((event) => this.#talk?.heard(event));
  }

  static async open(replies: readonly Scripted[], options: TalkWorldOptions = {}): Promise<TalkWorld> {
    const clock = options.clock ?? new FakeClock();
    const world = new TalkWorld(await openMemoryStore(clock), await ScriptedModel.start(replies), clock, options);
    const definition = { ...plainDefinition(), ...options.definition };
    const project = { id: world.projectId, model: definition.model, workdir: null, definition };
    await world.store.commit({ type: 'project_created', project });
    for (const id of options.others ?? []) {
      const other = { id, model: null, workdir: null, definition: plainDefinition() };
      await world.store.commit({ type: 'project_created', project: other });
    }
    return world;
  }

  /** Says it to the project; its id. */
  async say(text: string, sender: Sender = 'steward', level: 'info' | null = null): Promise<number> {
    const [id = 0] = this.store.nextIds('messages', 1);
    const message = { project_id: this.projectId, direction: 'in', concerns: null, relayed_from: null } as const;
    await this.store.commit({
      type: 'message_sent',
      message: { ...message, id, sender, text, session_id: null, level },
    });
    return id;
  }

  /** Converses until nothing is open; what it could not go on with. */
  async converse(): Promise<PlainFailure | null> {
    this.#rested = Promise.withResolvers();
    this.begin();
    return this.#rested.promise;
  }

  /** The same, not waited for. */
  begin(): void {
    this.#talk ??= this.#openTalk();
    this.#talk.converse(++this.#run);
  }

  /** Resolves when it comes to rest the next time. */
  rested(): Promise<PlainFailure | null> {
    this.#rested = Promise.withResolvers();
    return this.#rested.promise;
  }

  /** Resolves when it is so; looks after each turn of the event loop. */
  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await setImmediate();
  }

  /** As a kill leaves it: another owner's thread goes on from the files. */
  async again(): Promise<void> {
    await this.#talk?.stop();
    this.#talk = null;
    this.#epoch++;
    this.#claim();
  }

  messages(direction: MessageRow['direction']): MessageRow[] {
    return projectMessages(this.store.state, this.projectId).filter((row) => row.direction === direction);
  }

  file(...names: readonly string[]): string {
    return join(this.stateDir, ...names);
  }

  get session(): string {
    return this.file('projects', this.projectId, 'session');
  }

  async close(): Promise<void> {
    await this.#talk?.stop();
    await this.model.close();
    await this.store.close();
    rmSync(this.root, { recursive: true, force: true });
  }

  #claim(): void {
    writeFileSync(join(this.stateDir, 'epoch', String(this.#epoch)), '');
  }

  #openTalk(): ProjectConversation {
    const { store, stateDir, root, key } = this;
    const epoch = this.#epoch;
    const seal = lineSeal(key, 'transcript');
    return openProjectConversation({
      start: { projectId: this.projectId, projectDir: root, stateDir, configDir: join(root, 'config'), epoch },
      store: {
        state: store.state,
        commit: (draft) => store.commit(draft),
        nextIds: async (table, count) => store.nextIds(table as Parameters<Store['nextIds']>[0], count),
        changed: () => Promise.reject(new Error('a conversation hears of events')),
      },
      clock: this.clock,
      seal,
      settings: this.#options.settings ?? {},
      owner: {
        submitBrief: async (_, { brief }) => {
          if (!this.briefs.includes(brief)) this.briefs.push(brief);
          return { value: { jobId: `job-${this.briefs.indexOf(brief) + 1}` } };
        },
        taskTool: async () => ({ value: 'a task was asked for' }),
        jobTool: async (job, action, reason) => {
          const request = () => Promise.reject(new Error('no requests in this world'));
          try {
            return {
              value: await callJobTool({ state: store.state, request }, this.projectId, { job, action, reason }),
            };
          } catch (thrown) {
            return { failure: toPlain(thrown) };
          }
        },
        recall: async (query) => ({ value: recall(store.state, this.projectId, query) }),
        mainTool: async (name) => ({ value: `${name} was called` }),
        briefing: async (heldUpTo) => ({
          value: await briefing(
            { store, clock: this.clock, repositoryOf: async () => 'shop, branch main', working: () => [] },
            this.projectId,
            heldUpTo,
          ),
        }),
        delivery: async (id) => ({ value: deliveryText(store.state, this.projectId, id, 'rules') }),
        ...this.#options.owner,
      },
      openTranscript: (sessionId) => openTranscript({ stateDir, sessionId, epoch, ops: nodeFiles, seal }),
      openTree: (tree) => openTree(tree, findRipgrep({})),
      gatewayFetch: () => (input, init) => {
        const refusal = this.#refusals.shift() ?? null;
        return refusal === null ? this.model.fetch(input, init) : Promise.reject(refusal);
      },
      live: ({ text }) => void this.live.push(text),
      problem: (text) => void this.problems.push(text),
      conversed: (run, failure) => {
        if (run === this.#run) this.#rested.resolve(failure);
      },
    });
  }
}

/** Opens worlds for the tests of a file, and closes each after its test. */
export function talkWorlds(): (replies: readonly Scripted[], options?: TalkWorldOptions) => Promise<TalkWorld> {
  const open: TalkWorld[] = [];
  afterEach(async () => {
    for (const world of open.splice(0)) await world.close();
  });
  return async (replies, options) => {
    const world = await TalkWorld.open(replies, options);
    open.push(world);
    return world;
  };
}
