/** Whatever a person does to PROJECT.md, the steward decides, the project goes through and the disk refuses: no edit is lost, none counts unasked. */

import { expect, it } from 'vitest';
import { plainDefinition } from '../../../../../src/core/project/reduceProjects.ts';
import { projectApprovals } from '../../../../../src/core/state/rows.ts';
import { parseDefinition, printDefinition } from '../../../../../src/engine/project/definition/definition.ts';
import type { ProjectFiles } from '../../../../../src/engine/project/definition/definitionPorts.ts';
import { type Definitions, followDefinitions } from '../../../../../src/engine/project/definition/definitions.ts';
import type { Store } from '../../../../../src/engine/state/store.ts';
import { failure, findFailure } from '../../../../../src/shared/errors.ts';
import type { ProjectRow } from '../../../../../src/shared/project/projects.ts';
import type { EventDraft } from '../../../../../src/shared/workspace/events.ts';
import { openMemoryStore } from '../../../../support/state/memoryStore.ts';
import { amount } from '../../../../support/suite/proof.ts';
import { fc } from '../../../../support/suite/property.ts';
import { FakeClock } from '../../../../support/time/fakeClock.ts';

const id = 'api';
const by = 'steward';

/** One folder in memory, whose next changing operations may fail. */
class Folder {
  text: string | null = null;
  note: string | null = null;
  readonly kept: string[] = [];
  failing = 0;

  readonly files: ProjectFiles = {
    names: async () => [id],
    probe: async () => (this.text === null ? 'no_file' : 'file'),
    look: async () => (this.text === null ? { kind: 'no_file' } : { kind: 'file', bytes: Buffer.from(this.text) }),
    noted: async () => this.note,
    note: async (_, mark) => {
      this.#step();
      this.note = mark;
    },
    write: async (_, text, mark) => {
      this.#step();
      this.text = text;
      this.#step();
      this.note = mark;
    },
    keep: async (_, bytes) => {
      this.#step();
      this.kept.push(Buffer.from(bytes).toString('utf8'));
      return `kept-${this.kept.length}`;
    },
    watch: () => ({ follow: () => undefined, unfollow: () => undefined, close: () => undefined }),
  };

  #step(): void {
    if (this.failing > 0 && --this.failing === 0) throw failure('DISK', 'no space left');
  }
}

class World {
  readonly folder = new Folder();
  readonly clock = new FakeClock();
  store!: Store;
  definitions!: Definitions;
  /** The last text that a person saved, until it counts or he takes it away himself. */
  saved: string | null = null;

  async open(): Promise<this> {
    this.store = await openMemoryStore(this.clock);
    this.follow();
    const project = { id, model: null, workdir: null, definition: { ...plainDefinition(), body: 'Goal.\n' } };
    await this.store.commit({ type: 'project_created', project, by });
    await this.definitions.settled();
    return this;
  }

  follow(): void {
    this.definitions = followDefinitions({
      store: this.store,
      clock: this.clock,
      files: this.folder.files,
      checkWorkdir: async (path) => path,
      workdirFault: async () => null,
      problem: () => undefined,
    });
  }

  get row(): ProjectRow {
    const row = this.store.state.projects.get(id);
    if (row === undefined) throw new Error('there is no project');
    return row;
  }

  async commit(draft: EventDraft): Promise<void> {
    try {
      await this.store.commit(draft);
    } catch (thrown) {
      if (findFailure(thrown)?.code !== 'ILLEGAL_TRANSITION') throw thrown;
    }
  }

  pending() {
    return projectApprovals(this.store.state, id).filter((row) => row.status === 'pending');
  }

  /** The disk works again, and somebody looks. */
  async settle(): Promise<void> {
    this.folder.failing = 0;
    await this.definitions.look(id);
    await this.definitions.settled();
  }
}

interface Step {
  readonly name: string;
  run(world: World): Promise<void> | void;
}

const step = (name: string, run: Step['run']): Step => ({ name, run });
const save = (name: string, change: (row: ProjectRow, now: string) => string): Step =>
  step(name, (world) => {
    const now = world.folder.text;
    if (now === null) return;
    const text = change(world.row, now);
    if (text === now) return;
    world.folder.text = text;
    world.saved = text;
  });
const decide = (decision: 'approved' | 'rejected', choice: string | null): Step =>
  step(`${decision} ${choice}`, async (world) => {
    const [approval] = world.pending();
    if (approval === undefined) return;
    await world.commit({ type: 'approval_decided', id: approval.id, decision, choice, feedback: 'so', by });
  });

const STEPS: readonly Step[] = [
  save('another goal', (_, now) => now.replace(/Goal.*\n/, 'Goal two.\n')),
  save('a third goal', (_, now) => now.replace(/Goal.*\n/, 'Goal three.\n')),
  save('a limit', (_, now) => now.replace('name: api', 'limits: { dayUsd: 9 }\nname: api')),
  save('a comment', (_, now) => now.replace('status:', '# mine\nstatus:')),
  save('another status', (_, now) => now.replace(/status: \w+/, 'status: completed')),
  save('a mistake', (_, now) => now.replace('name: api', 'name: &x api')),
  save('what is known', (row) => printDefinition({ ...parseOf(row), definition: row })),
  step('delete', (world) => {
    world.folder.text = null;
    world.saved = null;
  }),
  decide('approved', 'take_over'),
  decide('approved', 'put_back'),
  decide('rejected', null),
  step('suspend', (world) => world.commit({ type: 'project_suspended', project_id: id, reason: '', by })),
  step('resume', (world) => world.commit({ type: 'project_resumed', project_id: id, by })),
  step('unpark', (world) => world.commit({ type: 'project_unparked', project_id: id })),
  step('define', async (world) => {
    const definition = { ...plainDefinition(), body: 'Goal of a request.\n' };
    await world.commit({ type: 'project_defined', project_id: id, definition, by });
  }),
  step('the disk fails next', (world) => {
    world.folder.failing = 1;
  }),
  step('the disk fails after next', (world) => {
    world.folder.failing = 2;
  }),
  step('restart', async (world) => {
    await world.definitions.close();
    world.follow();
  }),
  step('look', (world) => world.settle()),
];

function parseOf(row: ProjectRow) {
  const { status, created_at: created, suspended_at: suspended, completed_at: completed, archived_at: archived } = row;
  return { name: row.id, status, created, suspended, completed, archived };
}

function sameDefinition(text: string, row: ProjectRow): boolean {
  const shown = (definition: ProjectRow | ReturnType<typeof parseDefinition>['file']['definition']): string =>
    printDefinition({ ...parseOf(row), definition });
  // One with a mistake says nothing.
  return isReadable(text) && shown(parseDefinition(text).file.definition) === shown(row);
}

/** The edit lies where it was saved or beside it, or it is what counts. */
function checkKept(world: World): void {
  const { saved, folder, row } = world;
  if (saved === null) return;
  // It counts from now on, or says nothing new.
  if (sameDefinition(saved, row)) world.saved = null;
  else expect(folder.text === saved || folder.kept.includes(saved), `lost: ${saved}`).toBe(true);
}

/** Each way that a settled file can be in. */
function checkSettled(world: World): void {
  const { folder, row } = world;
  const pending = world.pending();
  expect(pending.length).toBeLessThanOrEqual(1);
  if (folder.text === null) {
    expect(row.status !== 'active' || row.parked?.startsWith('PROJECT.md is gone')).toBe(true);
  } else if (!isReadable(folder.text)) {
    expect(row.status !== 'active' || row.parked?.startsWith('PROJECT.md line ')).toBe(true);
    expect(pending).toEqual([]);
  } else {
    expect(row.parked).toBeNull();
    expect(pending).toHaveLength(sameDefinition(folder.text, row) ? 0 : 1);
    expect(parseDefinition(folder.text).file.status === row.status || pending.length === 1).toBe(true);
  }
}

function isReadable(text: string): boolean {
  try {
    parseDefinition(text);
    return true;
  } catch (thrown) {
    if (findFailure(thrown)?.code !== 'INVALID_INPUT') throw thrown;
    return false;
  }
}

/** So that a counterexample is told by its steps' names. */
const named = fc.constantFrom(...STEPS.map(({ name }) => name));
const stepOf = (name: string): Step => STEPS.find((one) => one.name === name) ?? expect.fail(name);

it('holds over any life', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(named, { maxLength: 25 }), async (names) => {
      const world = await new World().open();
      const goals = new Set(['Goal.\n', 'Goal of a request.\n']);
      for (const { name, run } of names.map(stepOf)) {
        if (name === 'approved take_over' && world.folder.text !== null && isReadable(world.folder.text)) {
          goals.add(parseDefinition(world.folder.text).file.definition.body);
        }
        await run(world);
        await world.definitions.settled();
        checkKept(world);
        // What counts was taken over, or came by a request.
        expect(goals).toContain(world.row.body);
      }
      await world.settle();
      checkKept(world);
      checkSettled(world);
      await world.definitions.close();
      await world.store.close();
    }),
    { numRuns: amount({ short: 60, long: 5000 }) },
  );
});
