/** A desk of the main agent over real requests in memory. */

import type { MainDesk } from '../../../src/engine/main/desk.ts';
import { callMainTool } from '../../../src/engine/main/mainTools.ts';
import { terminalWorld, type World, type WorldOptions } from './terminalWorld.ts';

export interface DeskWorld {
  readonly world: World;
  readonly desk: MainDesk;
  readonly state: MainDesk['state'];
  /** As the main agent. */
  call(name: string, input?: unknown): Promise<string>;
  /** As one from outside, who reads no memory. */
  outside(name: string, input?: unknown): Promise<string>;
  /** A project says something. */
  say(project: string, text: string, concerns?: string | null): Promise<number>;
}

export async function deskWorld(options: WorldOptions = {}): Promise<DeskWorld> {
  const world = await terminalWorld(options);
  const engine = await world.workspace.open({ work: 'nothing' });
  const { store, clock } = world;
  const desk: MainDesk = {
    state: engine.state,
    request: engine.request,
    clock,
    readMemory: async (project, path) => `${project}/${path ?? 'facts/a.md'}: remember \`\`\`this\`\`\``,
  };
  return {
    world,
    desk,
    state: engine.state,
    call: (name, input) => callMainTool(desk, name, input),
    outside: (name, input) => callMainTool({ ...desk, readMemory: null }, name, input),
    async say(project, text, concerns = null) {
      const [id = 0] = store.nextIds('messages', 1);
      const said = { project_id: project, direction: 'out', sender: 'project', relayed_from: null } as const;
      await store.commit({ type: 'message_sent', message: { ...said, id, text, concerns, session_id: null } });
      return id;
    },
  };
}
