/** The tools of the main agent over real requests in memory. */

import type { MainAgentTools } from '../../../src/engine/main/mainAgentTools.ts';
import { callMainTool } from '../../../src/engine/main/mainTools.ts';
import { terminalWorld, type World, type WorldOptions } from './terminalWorld.ts';

export interface MainAgentWorld {
  readonly world: World;
  readonly tools: MainAgentTools;
  readonly state: MainAgentTools['state'];
  /** As the main agent. */
  call(name: string, input?: unknown): Promise<string>;
  /** As one from outside, who reads no memory. */
  outside(name: string, input?: unknown): Promise<string>;
  /** A project says something. */
  say(project: string, text: string, concerns?: string | null): Promise<number>;
}

export async function mainAgentWorld(options: WorldOptions = {}): Promise<MainAgentWorld> {
  const world = await terminalWorld(options);
  const engine = await world.workspace.open({ work: 'nothing' });
  const { store, clock } = world;
  const tools: MainAgentTools = {
    state: engine.state,
    request: engine.request,
    clock,
    readMemory: async (project, path) => `${project}/${path ?? 'facts/a.md'}: remember \`\`\`this\`\`\``,
  };
  return {
    world,
    tools,
    state: engine.state,
    call: (name, input) => callMainTool(tools, name, input),
    outside: (name, input) => callMainTool({ ...tools, readMemory: null }, name, input),
    async say(project, text, concerns = null) {
      const [id = 0] = store.nextIds('messages', 1);
      const said = { project_id: project, direction: 'out', sender: 'project', relayed_from: null } as const;
      await store.commit({ type: 'message_sent', message: { ...said, id, text, concerns, session_id: null } });
      return id;
    },
  };
}
