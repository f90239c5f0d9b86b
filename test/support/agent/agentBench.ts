/** Agents and sessions for them, put together as an engine does, over a gateway that answers one thing. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../../src/adapters/clock.ts';
import { type OpenedAgents, openAgents } from '../../../src/app/open/agents.ts';
import { openPlace } from '../../../src/app/worker/sessionDirectory.ts';
import type { AgentWorld } from '../../../src/engine/agent/agentWorld.ts';
import type { AgentOrder, AgentUpdate, OurTool } from '../../../src/engine/agent/ports.ts';
import type { AgentEntry } from '../../../src/shared/agent/executorSchemas.ts';
import type { ShellGround } from '../shell/shell.ts';

interface Session {
  readonly order: AgentOrder;
  readonly world: AgentWorld;
  readonly clone: string;
  readonly reports: unknown[];
  readonly asked: string[];
  readonly refused: unknown[];
  said(): string[];
}

const REPLY = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'model-a',
  content: [{ type: 'text', text: 'from the gateway' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
};

export interface AgentBench {
  agentsOf(ground: Pick<ShellGround, 'runner'>, entries: Readonly<Record<string, AgentEntry>>): OpenedAgents;
  /** Each has a job of its own below the root: `jobs/job-1` and so on. */
  session(
    ground: Pick<ShellGround, 'root'>,
    more?: { readonly mayRun?: boolean; readonly fetch?: typeof fetch },
  ): Session;
  /** Puts away all of it, the latest first. */
  close(): Promise<void>;
}

/** `folder`: where their data files go. */
export function agentBench(folder: string): AgentBench {
  const clock = systemClock();
  const never = new AbortController().signal;
  const ends: (() => Promise<void>)[] = [];
  let made = 0;
  function agentsOf(ground: Pick<ShellGround, 'runner'>, entries: Readonly<Record<string, AgentEntry>>): OpenedAgents {
    const configDir = mkdtempSync(join(folder, 'agents-'));
    writeFileSync(join(configDir, 'agents.yaml'), JSON.stringify(entries), { mode: 0o600 });
    const agents = openAgents({ clock, version: '0.0.0', configDir, commands: ground.runner, foreign: [] });
    ends.push(() => agents.close());
    return agents;
  }

  function session(
    ground: Pick<ShellGround, 'root'>,
    more: { readonly mayRun?: boolean; readonly fetch?: typeof fetch } = {},
  ): Session {
    const jobDir = join(ground.root, 'jobs', `job-${++made}`);
    const clone = join(jobDir, 'tree');
    mkdirSync(clone, { recursive: true });
    const [reports, asked, refused]: [unknown[], string[], unknown[]] = [[], [], []];
    const told: AgentUpdate[] = [];
    const report: OurTool = {
      name: 'report',
      description: 'Ends the work.',
      inputSchema: { type: 'object', properties: { outcome: { type: 'string' }, summary: { type: 'string' } } },
      call: async (input) => {
        reports.push(input);
        return { ok: true, text: 'Thanks.' };
      },
    };
    const verbs = async () => ({ exitCode: 0, stdout: 'a verb\n', stderr: '' });
    const place = openPlace({ clock, workdir: clone, jobDir, sessionId: made, verbs, tools: [report] });
    ends.push(() => place.close());
    return {
      clone,
      reports,
      asked,
      refused,
      said: () => told.flatMap((update) => (update.kind === 'text' ? [update.text] : [])),
      order: {
        executor: 'scripted',
        sessionId: made,
        model: 'model-a',
        system: 'Behave.',
        workdir: clone,
        writes: true,
        judges: false,
        resume: null,
        heard: (update) => told.push(update),
        refused: (thrown) => refused.push(thrown),
        signal: never,
      },
      world: {
        place,
        readable: [],
        fetch: more.fetch ?? (async () => Response.json(REPLY)),
        commands: { run: async () => ({ exitCode: 0, ended: null, output: '' }) },
        allowed: [],
        mayRun: async (command) => {
          asked.push(command);
          return more.mayRun === true;
        },
      },
    };
  }

  return {
    agentsOf,
    session,
    async close() {
      for (const end of ends.toReversed()) await end();
    },
  };
}
