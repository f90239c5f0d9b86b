/** What a session stands on in a test: a folder, a journal in memory, a clock that the test moves, ports that remember. */
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findRipgrep } from '../../../src/adapters/platform/ripgrep.ts';
import { openTree } from '../../../src/adapters/tree/treeFiles.ts';
import type { SessionPorts, SessionSpec, TranscriptEntry } from '../../../src/engine/session/ports.ts';
import { sessionSpec } from '../../../src/engine/session/spec.ts';
import type { Clock } from '../../../src/shared/clock.ts';
import { formatAssignment } from '../../../src/shared/workspace/assignment.ts';
import type { ScriptedBlock, ScriptedModel, ScriptedReply } from '../provider/scriptedModel.ts';

export class SessionBench {
  readonly root = mkdtempSync(join(tmpdir(), 'autonomous-session-'));
  readonly workdir = join(this.root, 'tree');
  entries: TranscriptEntry[] = [];
  readonly commands: string[] = [];
  readonly notes: string[] = [];
  readonly restored: (string | null)[] = [];
  readonly live: string[] = [];
  readonly abort = new AbortController();
  monotonicMs = 0;
  /** What a command prints; a throw is a failure of the port. */
  onCommand: (command: string) => string = () => 'ok';
  limits = { turns: 100, tokens: 10_000_000, seconds: 3_600, microUsd: 10_000_000 };
  #checkpoints = 0;

  constructor() {
    mkdirSync(this.workdir);
  }

  ports(model: Pick<ScriptedModel, 'fetch'>, changes: Partial<SessionPorts> = {}): SessionPorts {
    return {
      sessionId: 1,
      fetch: model.fetch,
      workdir: this.workdir,
      files: openTree(this.workdir, findRipgrep({})),
      transcript: {
        entries: [...this.entries],
        append: async (entry) => void this.entries.push(structuredClone(entry)),
      },
      commands: {
        run: async (command) => {
          this.commands.push(command);
          return { exitCode: 0, ended: null, output: this.onCommand(command) };
        },
      },
      sessionTools: {
        addNote: async ({ content }) => {
          this.notes.push(content);
          return { ok: true, text: `note ${this.notes.length}` };
        },
        notes: async () => this.notes.join('\n'),
      },
      limits: this.limits,
      clock: this.#clock(),
      checkpoint: async () => this.#checkpoint(),
      restore: async (checkpoint) => this.#restore(checkpoint),
      live: (text) => void this.live.push(text),
      signal: this.abort.signal,
      ...changes,
    };
  }

  appendLine(file: string, line: string): void {
    appendFileSync(join(this.workdir, file), `${line}\n`);
  }

  clearTree(): void {
    for (const name of readdirSync(this.workdir)) rmSync(join(this.workdir, name), { recursive: true });
  }

  /** The tree as a kill right after these entries may leave it: at the last checkpoint, or in the middle of a round. */
  leaveTreeAt(entries: readonly TranscriptEntry[]): void {
    const last = entries.findLast((entry) => 'checkpoint' in entry);
    this.#restore(last !== undefined && 'checkpoint' in last ? last.checkpoint : null);
    this.restored.pop();
    const open = entries.at(-1);
    const ran = open?.kind === 'reply' && (open.message as { stop_reason: string }).stop_reason === 'tool_use';
    if (ran) this.appendLine('log.txt', 'half of an interrupted round');
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }

  #checkpoint(): string {
    const name = `checkpoint-${++this.#checkpoints}`;
    cpSync(this.workdir, join(this.root, name), { recursive: true });
    return name;
  }

  #restore(checkpoint: string | null): void {
    this.restored.push(checkpoint);
    this.clearTree();
    if (checkpoint !== null) cpSync(join(this.root, checkpoint), this.workdir, { recursive: true });
  }

  #clock(): Clock {
    return {
      now: () => this.monotonicMs,
      monotonic: () => this.monotonicMs,
      sleep: () => Promise.reject(new Error('a session does not sleep')),
      timer: () => () => undefined,
    };
  }
}

export function workerSpec(feature = 'push and pop'): SessionSpec {
  const line = formatAssignment({ role: 'worker', phase: 'Core', feature, featureId: 5, attempt: 1 });
  return sessionSpec('worker', { model: 'scripted', opening: `${line}\n\nWrite a stack.` });
}

export const plannerSpec = sessionSpec('planner', {
  model: 'scripted',
  opening: 'Assignment: planner | attempt 1\n\nPlan.',
});

export const reviewerSpec = sessionSpec('reviewer', {
  model: 'scripted',
  opening: 'Assignment: reviewer | phase "Core" | attempt 1\n\nJudge.',
});

export const summarizerSpec = sessionSpec('summarizer', {
  model: 'scripted',
  opening: 'Assignment: summarizer | phase "Core" | attempt 1\n\nSum up.',
});

/** A small plan, with row ids that no planner may give. */
export const plan = {
  title: 'A stack',
  phases: [
    {
      id: 7,
      title: 'Core',
      objective: 'A stack',
      acceptance_criteria: ['it works'],
      features: [{ id: 8, name: 'push', description: 'push', category: 'core' }],
    },
  ],
};

/** The tool results in the newest message of a request. */
export function resultsIn(model: ScriptedModel, index: number): readonly Record<string, unknown>[] {
  return (model.sent(index).messages.at(-1)?.content ?? []).filter((block) => block['type'] === 'tool_result');
}

let ids = 0;

export function call(name: string, input: unknown): ScriptedBlock {
  return { type: 'tool_use', id: `toolu_${++ids}`, name, input };
}

export function calls(...blocks: readonly ScriptedBlock[]): ScriptedReply {
  return { content: blocks };
}

export function says(text: string, stop_reason = 'end_turn'): ScriptedReply {
  return { content: [{ type: 'text', text }], stop_reason };
}

export function done(summary = 'It works.'): ScriptedReply {
  return calls(call('report', { outcome: 'done', summary }));
}
