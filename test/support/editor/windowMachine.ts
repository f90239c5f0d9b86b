/** The machine of a window in a test: engines that do nothing, and a state that is not on a disk. */
import { vi } from 'vitest';
import type { EngineListener } from '../../../src/engine/state/api.ts';
import type { Look, OpenedEngine, OwnerSettings, Place, Workspace } from '../../../src/engine/workspace/workspace.ts';
import type { HandlePorts, WorkspaceEngine } from '../../../src/vscode/window/handle.ts';
import { stateOf } from '../state/builders.ts';
import { FakeClock } from '../time/fakeClock.ts';
import { fakeWorkspace, fakeWorkspaces } from './fakeWorkspace.ts';

/** An engine that does nothing. */
export interface FakeEngine {
  readonly folder: string;
  readonly listeners: EngineListener[];
  readonly requests: (readonly [name: string, input: unknown])[];
  closed: number;
}

/** A machine on which a window opens engines one after the other: `next` says what each becomes, a failure is thrown. */
const machineOf = (Handle: typeof WorkspaceEngine, seen: Partial<Look> = {}) => {
  const engines: FakeEngine[] = [];
  const opened: (OwnerSettings & { readonly place: Place })[] = [];
  const looks: Look[] = [];
  const next: (boolean | Error)[] = [];
  /** Openings take until this resolves. */
  const gate: { open: Promise<void> } = { open: Promise.resolve() };
  const git: string[] = [];
  const atWork: { works: boolean; jobs: string[]; turns: string[] } = { works: true, jobs: [], turns: [] };
  /** What `newestEvents` and `isOwned` return, and what looks throw. */
  const disk: { newest: string | null; isOwned: boolean; fault: Error | null } = {
    newest: null,
    isOwned: false,
    fault: null,
  };
  const look: Look = {
    projectDir: '/work/a',
    origin: 'own',
    state: stateOf({}),
    problems: [],
    ownerAlive: false,
    lostTail: null,
    ...seen,
  };
  const workspaceAt = (place: Place): Workspace =>
    fakeWorkspace(
      {
        look: async () => {
          if (disk.fault !== null) throw disk.fault;
          return looks.shift() ?? look;
        },
        newestEvents: async () => disk.newest,
        isOwned: async () => disk.isOwned,
        open: async (settings) => {
          opened.push({ ...settings, place });
          const owner = next.shift() ?? true;
          await gate.open;
          if (owner instanceof Error) throw owner;
          const fake: FakeEngine = { folder: place.folder, listeners: [], requests: [], closed: 0 };
          engines.push(fake);
          return {
            owner,
            atWork: () => (owner ? { ...atWork } : Promise.resolve({ ...atWork })),
            state: look.state,
            request: async (...request: readonly [string, unknown]) => void fake.requests.push(request),
            follow: (listener: EngineListener) => fake.listeners.push(listener),
            close: async () => void fake.closed++,
          } as unknown as OpenedEngine;
        },
        job: {
          changedPaths: async (_, jobId) => [String(git.push(jobId))],
          textAt: async (_, jobId) => String(git.push(jobId)),
          preview: async (jobId) => ({ describes: '', body: String(git.push(jobId ?? '')) }),
          diff: async (jobId) => String(git.push(jobId)),
        },
        session: { artifact: async (name) => name },
      },
      place,
    );
  const remembered = new Map<string, unknown>();
  const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn(), debug: vi.fn() };
  const ports = {
    load: async () => ({ ...fakeWorkspaces({}), at: workspaceAt }),
    clock: new FakeClock({ skipSleeps: true }),
    key: { value: 'k', source: 'stored', read: async () => undefined, store: async () => undefined },
    memory: {
      get: (name: string) => remembered.get(name),
      update: async (name: string, value: unknown) => void remembered.set(name, value),
    },
    log,
  } as unknown as HandlePorts;
  const handle = new Handle(ports);
  const troubles: string[] = [];
  handle.onDidTrouble((text) => troubles.push(text));
  return { handle, engines, opened, looks, disk, atWork, look, next, gate, git, troubles };
};

/** `Handle`: loaded by the test, once the editor's module is a stand-in. */
export const windowMachines = (Handle: typeof WorkspaceEngine) => (seen?: Partial<Look>) => machineOf(Handle, seen);
